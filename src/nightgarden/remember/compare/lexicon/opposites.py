"""Pairs of words that cannot both be true of one thing. Knows words, not statements.

Written for memory statements: ways of working, settings, states, preferences, and the plain adjectives, verbs and
prepositions of everyday speech. `a,b/c,d` says that a and b each oppose c and d. What shares a class in `classes`
(colours, weekdays, databases) is not repeated here.
"""

from __future__ import annotations

from functools import lru_cache

from nightgarden.remember.compare.lexicon.alike import lemma

_STATES = """
on/off  in,inside,indoors/out,outside,outdoors  up/down  above,over/below,under,underneath,beneath  before/after
with/without  into/out_of  onto/off  front/back,rear,behind  top/bottom  left/right  upstairs/downstairs
near,close,nearby/far,distant  together/apart,separately,alone  here/there  ahead/behind
forward,forwards/backward,backwards
inbound/outbound  upstream/downstream  internal/external  inner/outer  interior/exterior  upper/lower  first/last
open,opened/closed,shut,locked  empty/full,filled,crowded,packed  hot,warm/cold,cool,freezing,chilly
wet,damp,soaked/dry
dark/light,bright,lit  loud,noisy/quiet,silent  clean/dirty,filthy,messy  fast,quick,rapid/slow,sluggish
hard,difficult/easy,simple
hard,firm/soft  heavy/light,lightweight  high/low  tall/short  long/short,brief  wide,broad/narrow  thick/thin
deep/shallow
big,large,huge,giant,enormous,gigantic,massive,vast,great/small,little,tiny,miniature
old,elderly,ancient,aged/young  old/new
early/late  strong/weak  rich,wealthy/poor  cheap,inexpensive/expensive,costly,pricey  good/bad  best/worst
better/worse
right,correct/wrong,incorrect  true/false  same/different  similar/different  possible/impossible  alive,living/dead
asleep,sleeping/awake
happy,glad,cheerful/sad,unhappy,upset,miserable  calm/angry,nervous,excited,agitated  brave/afraid,cowardly
polite/rude  kind/cruel,mean
pretty,beautiful,attractive/ugly  smooth/rough,bumpy  sharp/dull,blunt  straight/curved,bent,crooked,curly
tight/loose  safe/dangerous,unsafe,risky
busy/idle,free  public/private  global/local  national/local,international  remote/local,onsite  static/dynamic
manual/automatic,automated
sync,synchronous/async,asynchronous  mutable/immutable,readonly  optional/required,mandatory,obligatory
enabled/disabled  active/inactive,dormant,passive
online/offline  visible/hidden,invisible  allowed,permitted/forbidden,prohibited,banned,disallowed,blocked
valid/invalid  present/absent,missing
included/excluded  positive/negative  even/odd  odd/usual,normal  normal/abnormal,unusual  rare/common,frequent
temporary/permanent
single/married,multiple,double  married/divorced,unmarried  guilty/innocent  formal/informal,casual
verbose/terse,concise,brief,short
detailed/brief,short  strict/lenient,loose,relaxed,lax  stable/unstable,flaky  legal/illegal  major/minor
maximum,max/minimum,min  senior/junior
raw/cooked  fresh/stale,rotten,frozen  ripe/unripe  sweet/sour,bitter  spicy/mild  fat/thin,slim,skinny
healthy/sick,ill  sick,ill/well
pregnant/childless  vegetarian,vegan/carnivore  smoker/nonsmoker  introvert/extrovert  optimist/pessimist
lefthanded/righthanded
sunny/rainy,cloudy,overcast  summer/winter  day,daytime/night,nighttime  dawn,sunrise/dusk,sunset
morning/evening,night  sun/moon
monolith,monolithic/microservices  centralized/decentralized,distributed  stateful/stateless  lazy/eager
blocking/nonblocking
relational/nonrelational,nosql  sequential/parallel,concurrent  deterministic/random
opensource/proprietary,closedsource
signed/unsigned  encrypted/unencrypted,plaintext  compressed/uncompressed  cached/uncached  nullable/nonnull
abstract/concrete
frontend/backend  client/server  ingress/egress  uppercase/lowercase  camelcase/snakecase,kebabcase,pascalcase
snakecase/kebabcase,pascalcase
ascending/descending  horizontal/vertical  landscape/portrait  absolute/relative  singular/plural  inline/external
squash/nosquash
opt_in/opt_out  whitelist,allowlist/blacklist,denylist,blocklist  passing,green/failing,red,broken
fixed,solved,resolved/broken,unresolved,unsolved,open
done,finished,complete,completed/unfinished,incomplete,pending  working/broken  up/offline  healthy/unhealthy,degraded
pro/contra  yes/no  win,won/lose,lost  victory/defeat  success,succeed/failure,fail  profit/loss  supply/demand
question/answer
friend/enemy,foe  hero/villain  teacher/student,pupil  buyer/seller  employer/employee  landlord/tenant  guest/host
parent/child
male,man,boy,guy,gentleman/female,woman,girl,lady  men,boys,guys,gentlemen/women,girls,ladies  husband/wife
brother/sister  son/daughter
father,dad,daddy/mother,mom,mum,mommy  uncle/aunt  nephew/niece  king/queen  prince/princess  bride/groom
boyfriend/girlfriend
grandfather,grandpa/grandmother,grandma  waiter/waitress  actor/actress  he,him,his/she,her,hers
adult,adults/child,children,kid,kids,baby,toddler
rural/urban  city/countryside,village  land/sea  earth/sky  ceiling/floor  entrance/exit  arrival/departure
beginning,start/end,finish  birth/death
sober/drunk  dressed,clothed/naked,nude  barefoot/shod  bald/hairy  blonde/brunette  bearded/shaven
solid/liquid,striped  plain/patterned
professional/amateur  modern/ancient,traditional,oldfashioned  natural/artificial,synthetic  domestic/foreign,wild
tame/wild  real/fake,imaginary
generous/stingy  careful/careless,reckless  lazy/hardworking,diligent  patient/impatient  honest/dishonest
tidy/untidy,messy  smart,clever/stupid,dumb
popular/unpopular  interesting,exciting/boring,dull  useful/useless  helpful/unhelpful,harmful  shiny/dull,matte
transparent/opaque  sunlit/shaded
crowded,busy/deserted,empty  inflated/deflated  horizontal/upright  clockwise/counterclockwise,anticlockwise
east/west  north/south
eastern/western  northern/southern  vertical/diagonal  inland/offshore  plural/singular  partial/full,complete,total
whole/half,partial
more/less,fewer  most/least  many/few  much/little  increase,increased/decrease,decreased
always/never,sometimes,rarely,seldom,occasionally
often,frequently,usually,regularly/never,rarely,seldom  sometimes,occasionally/never
all,every,each,everyone,everybody,everything/none,nobody,nothing,no_one
some,someone,somebody,something/none,nobody,nothing,no_one  everywhere/nowhere  both/neither  either/neither
forever/briefly,temporarily
weekday/weekend  weekdays/weekends  daily/weekly,monthly,yearly,hourly,never
weekly/monthly,yearly,hourly,quarterly,biweekly  monthly/yearly,quarterly,hourly
annually/daily,weekly,monthly  tomorrow/yesterday,today  today/yesterday  past/future  previous/next
older/newer,younger  former/current,latter
bigger,larger/smaller  taller,longer/shorter  faster/slower  higher/lower  heavier/lighter
warmer,hotter/colder,cooler  earlier,sooner/later
cheaper/pricier  stronger/weaker  easier/harder  louder/quieter  richer/poorer  deeper/shallower  wider/narrower
thicker/thinner
"""

_DEEDS = """
love,like,enjoy,adore/hate,dislike,loathe,detest,despise  accept,approve/reject,decline,refuse  agree/disagree
allow,permit,let/forbid,prohibit,ban,block,prevent,deny
enable/disable  activate/deactivate  add,insert/remove,delete,drop  append/prepend
create,build/destroy,delete,demolish  begin,start,launch/stop,end,finish,quit
start/shutdown  open/close,shut  lock/unlock  push/pull  pull/push  lift,raise/lower,drop
rise,ascend,climb/fall,descend,sink  increase,grow,raise/decrease,reduce,shrink,lower,cut
expand/shrink,contract,collapse  enter/leave,exit  arrive,come/leave,depart,go  join/leave,quit  come/go
appear/disappear,vanish  remember/forget  learn/forget
buy,purchase/sell  give,offer/take,receive  lend/borrow  send/receive  win/lose  find/lose  save/spend,waste,discard
keep,retain/discard,drop,remove,delete,throw
catch/throw,drop,miss  hold/drop,release  pick/drop  attack/defend  attach/detach  connect/disconnect  bind/unbind
mount/unmount  install/uninstall  subscribe/unsubscribe
encrypt/decrypt  encode/decode  compress/decompress  serialize/deserialize  upload/download  import/export
read/write  load/unload,save  commit/rollback,revert
merge/split,rebase  squash/merge  include,contain/exclude,omit  show,display,reveal/hide,conceal  succeed,pass/fail
pass/fail  work/fail  help/hinder  encourage/discourage
prefer,favour,favor/avoid,dislike  use/avoid  want/refuse  trust/distrust,mistrust  believe/doubt  admit/deny
confirm/deny,cancel  schedule/cancel  attend,visit/skip,miss,avoid
sit,sitting/stand,standing,run,running,walk,walking,jump,jumping,dance,dancing,lie,lying
stand,standing/sit,lie,lying,run,running  walk,walking/run,running,drive,swim,fly,sleep
sleep,sleeping,nap/run,walk,jump,dance,play,work,eat,cook,drive,swim,talk  run,running/sleep,stop,rest  wake/sleep
laugh,laughing,smile,smiling/cry,crying,weep,frown,frowning
talk,speak,shout,yell,scream/whisper,listen  speak/listen  sing/whistle  ask/answer,reply  praise/criticize,insult
reward,forgive/punish  live/die  marry/divorce
float/sink  freeze/melt,boil,thaw  heat,warm/cool,chill  dry/wet,soak  fill/empty,drain  tie/untie  wrap/unwrap
dress/undress  pack/unpack  load/offload  fold/unfold
cover/uncover  board/disembark  land/depart,takeoff  accelerate/brake,decelerate  advance/retreat,withdraw
gain/lose  earn/spend  hire,employ/fire,dismiss  promote/demote
upgrade/downgrade  scale_up/scale_down  inhale/exhale  stay,remain/leave,go,move  follow/lead,ignore,precede
chase/flee  obey/disobey  respect/ignore  notice/ignore,overlook
break/fix,repair,mend  damage/repair  clean,wash/dirty,stain,soil  build/dismantle  plant/harvest,uproot
peel/unpeel  inflate/deflate  allocate/free,release  acquire/release
peaceful/violent  eat/starve  ride/walk,lead  kneel/stand  crouch/stand  face/avoid  greet/ignore  hug/hit,push
kiss/hit,slap  put/take,remove  wear/remove  put_on/take_off  turn_on/turn_off
switch_on/switch_off  log_in/log_out  check_in/check_out  speed_up/slow_down  zoom_in/zoom_out  go_up/go_down
get_on/get_off  get_up/lie_down  opt_in/opt_out  roll_out/roll_back
"""

_OTHER_LANGUAGES = """
mag,liebt,liebe,mogen/hasst,hasse,hassen  immer/nie,niemals,selten  alle,jeder,jede/keiner,niemand  an/aus  ein/aus
offen/geschlossen,zu  gross,groß/klein  alt/jung,neu  schnell/langsam
hell/dunkel  heiss,heiß,warm/kalt  gut/schlecht  richtig/falsch  links/rechts  oben/unten  vor/nach  mit/ohne
teuer/billig,günstig  erlaubt/verboten  aktiviert/deaktiviert  fruh,früh/spat,spät
toujours/jamais,rarement  tous/aucun,personne  avec/sans  avant/apres,après  ouvert/ferme,fermé  grand/petit
vieux/jeune,nouveau  chaud/froid  aime,adore/deteste,déteste  bon/mauvais  rapide/lent  actif/inactif
siempre/nunca,jamas  todos/nadie,ninguno  con/sin  antes/despues,después  abierto/cerrado  grande/pequeno,pequeño
viejo/joven,nuevo  caliente/frio,frío  ama,gusta/odia  bueno/malo  rapido,rápido/lento  activado/desactivado
"""

# un-happy, non-blocking, in-active: a word and the same word behind one of these oppose each other. "in" and "im" also
# begin words that are no opposites (input, invoice), so the rest must be a word of five letters or more for them.
_PREFIXES = ("un", "non", "non-", "dis", "in", "im", "ir", "il", "de", "anti", "anti-", "mis")


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for entry in (_STATES + _DEEDS + _OTHER_LANGUAGES).split():
        left, right = ([lemma(word) for word in side.split(",")] for side in entry.split("/"))
        for one in left:
            for other in right:
                if one != other:
                    found.setdefault(one, set()).add(other)
                    found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=16384)
def opposed(one: str, other: str) -> bool:
    """Do two stems exclude each other?"""
    return other in _table().get(one, frozenset()) or _prefixed(one, other) or _prefixed(other, one)


def _prefixed(plain: str, longer: str) -> bool:
    if not longer.endswith(plain) or len(plain) < 3:
        return False
    prefix = longer[: -len(plain)]
    return prefix in _PREFIXES and (len(plain) >= 5 or prefix in ("un", "non", "non-", "anti-"))

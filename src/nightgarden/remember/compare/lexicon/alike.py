"""Words that say the same thing in a short statement, and irregular forms of one word. Knows words, not statements."""

from __future__ import annotations

from functools import lru_cache

from nightgarden.domain.text import stem

_GROUPS = """
child,kid,youngster toddler,baby,infant man,guy,gentleman,fella,male woman,lady,female mother,mom,mum,mommy
father,dad,daddy people,persons,folks,individuals person,human,individual,someone,somebody
big,large,huge,enormous,giant,vast,great small,little,tiny quick,fast,rapid,speedy begin,start,commence,launch
end,finish,conclude,terminate,complete buy,purchase choose,pick,select fix,repair,solve,resolve,mend
make,create,build,produce use,utilize,employ,utilise show,display,present help,assist,aid talk,speak,chat,converse
shout,yell,scream look,watch,gaze,stare,view,observe jump,leap,hop run,jog,sprint
walk,stroll,hike sit,seated eat,consume,munch cut,slice,chop cook,prepare photo,picture,photograph,image,pic
car,automobile,auto bike,bicycle,cycle motorbike,motorcycle couch,sofa road,street
forest,woods rock,stone boat,ship airplane,plane,aircraft tv,television phone,telephone,smartphone,mobile hat,cap
dog,puppy,doggy,canine cat,kitten,kitty,feline horse,pony rabbit,bunny ocean,sea
happy,glad,cheerful,joyful,pleased,delighted sad,unhappy,miserable angry,mad,furious near,close,nearby
beside,next_to,alongside many,lots,numerous several,various pretty,beautiful,lovely,attractive
smart,clever,intelligent
correct,right,accurate wrong,incorrect error,fault,bug,defect issue,ticket,problem job,task,work repo,repository
project,codebase dir,directory,folder docs,documentation,doc config,configuration,settings,setting
env,environment db,database app,application auth,authentication prod,production stage,staging dev,development
admin,administrator param,parameter arg,argument func,function lib,library dep,dependency,dependencies
test,tests,testing,spec ci,pipeline k8s,kubernetes postgres,postgresql,pg js,javascript ts,typescript py,python
golang,go vscode,vs_code,visual_studio_code gh,github win,windows osx,macos,mac_os,os_x,mac
msg,message pr,pull_request mr,merge_request deploy,release,ship,rollout merge,combine delete,remove,erase,drop
store,save,keep,persist run,execute call,invoke send,transmit get,fetch,retrieve,obtain
write,compose modify,change,edit,alter,update require,need,demand must,have_to,needs_to,required,mandatory
always,consistently,every_time never,under_no_circumstances often,frequently,regularly
usually,normally,typically,generally
like,enjoy,love,fond,adore prefer,favor,favour hate,dislike,loathe,detest want,wish,desire live,reside,dwell
work,employed wife,spouse husband,spouse boss,manager,supervisor meeting,meet,call company,firm,employer
birthday,born holiday,vacation flat,apartment trip,journey,travel doctor,physician shop,store movie,film begin,begun
meal,dinner,supper gift,present hotel,inn discard,drop,skip rough,roughly,approximately,about bad,invalid
answer,reply,response,respond short,brief,concise,terse detailed,thorough,verbose
comment,remark line,row tab,tabs space,spaces indent,indentation quote,quotes semicolon,semicolons default,standard
backup,backups scheduled,planned every,each weekly,every_week daily,every_day monthly,every_month
yearly,annually,every_year
located,situated,lives,resides hosted,deployed located,stored,placed folder,map explain,describe,clarify
ask,request,question tell,inform,say,said,state,stated name,called,named,call,title
allowed,permitted,ok,okay,fine forbidden,prohibited,banned,disallowed
disabled,deactivated,turned_off,switched_off,off enabled,activated,turned_on,switched_on,on allergic,allergy
vegetarian,veggie
attempt,try mistake,error important,crucial,essential,critical obsolete,outdated,deprecated,legacy broken,defective
hard,difficult easy,simple,straightforward expensive,costly,pricey cheap,inexpensive
lawn,grass,grassy kayak,canoe perform,play shore,beach,coast toss,throw,hurl ride,riding style,brush
group,crowd,bunch sidewalk,pavement backyard,yard,garden mountain,hill,hillside lake,pond river,stream,creek
shirt,tshirt,t-shirt,top trousers,pants jacket,coat infant,newborn fight,brawl dirt,mud,soil field,meadow
structure,building nap,sleep,slumber carve,sculpt phrase,sentence slowly,gradual bread,loaf
kill,slay,murder die,decease injure,hurt,wound police,cops,officers government,state,administration
increase,rise,grow,climb,jump,gain decrease,fall,drop,decline,reduce,shrink approve,accept,endorse
reject,refuse,decline,deny
cent,cents percent,pct,% dollar,usd,$ euro,eur,€ second,sec,s,seconds minute,min,minutes hour,hr,h,hours
millisecond,ms,milliseconds megabyte,mb gigabyte,gb kilometer,km,kilometre kilogram,kg
us,usa,united_states,america american,us uk,united_kingdom,britain,great_britain british,english holland,netherlands
soda,pop cola,coke aubergine,eggplant zucchini,courgette maize,corn grey,gray violet,purple
mag,liebt,liebe nutzt,verwendet,benutzt,nutzen,verwenden,benutzen wohnt,lebt utilise,emploie habite,vit usa,utiliza
vive,reside benutzer,nutzer,user utilisateur,user usuario,user projekt,project projet,project proyecto,project
"""

_IRREGULAR = """
go:went,gone,goes run:ran drive:drove,driven write:wrote,written speak:spoke,spoken buy:bought bring:brought
think:thought teach:taught catch:caught eat:ate,eaten drink:drank,drunk sing:sang,sung swim:swam,swum
begin:began,begun break:broke,broken choose:chose,chosen take:took,taken give:gave,given get:got,gotten
know:knew,known grow:grew,grown throw:threw,thrown fly:flew,flown draw:drew,drawn show:shown see:saw,seen
make:made have:has,had do:did,done,does say:said tell:told sell:sold hold:held keep:kept sleep:slept leave:left
lose:lost find:found build:built send:sent spend:spent sit:sat stand:stood win:won wear:wore,worn
ride:rode,ridden rise:rose,risen fall:fell,fallen wake:woke,woken lie:lay,lain,lying feed:fed meet:met lead:led
pay:paid become:became come:came hide:hid,hidden bite:bit,bitten shake:shook,shaken
man:men woman:women child:children person:people foot:feet tooth:teeth mouse:mice goose:geese knife:knives
wife:wives half:halves shelf:shelves die:died,dying,dies tie:tied,tying use:used,using,uses
live:living prefer:preferred,preferring,preference stop:stopped,stopping run:running plan:planned,planning
"""


@lru_cache(maxsize=1)
def _forms() -> dict[str, str]:
    found = {}
    for entry in _IRREGULAR.split():
        lemma, forms = entry.split(":")
        found.update(dict.fromkeys(forms.split(","), lemma))
    return found


@lru_cache(maxsize=65536)
def lemma(word: str) -> str:
    """The stem of a lower-case word, irregular forms brought back to their word first."""
    return word if "_" in word else stem(_forms().get(word, word))


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_GROUPS.split()):
        for word in group.split(","):
            found.setdefault(lemma(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@lru_cache(maxsize=16384)
def alike(one: str, other: str) -> bool:
    """Do two stems say the same? Also spelling variants of long words: organise/organize, color/colour."""
    if one == other:
        return True
    groups = _groups()
    if not groups.get(one, frozenset()).isdisjoint(groups.get(other, frozenset())):
        return True
    return _spelled(one) == _spelled(other)


def _spelled(word: str) -> str:
    """British and American spelling, and hyphens, made one."""
    plain = word.replace("-", "").replace("_", "")
    return plain.replace("our", "or").replace("is", "iz").replace("ys", "yz") if len(plain) > 4 else plain

"""Sets of things of which one can stand in the place of another: values of one kind. Knows words, not statements."""

from __future__ import annotations

from functools import lru_cache

from nightgarden.remember.compare.lexicon.alike import alike, lemma

_VALUES = """
indentation: tabs spaces
quote_style: single_quotes double_quotes
theme: dark light
package_manager: npm yarn pnpm bun
python_packaging: pip poetry uv pipenv conda pdm hatch rye
formatter: black yapf autopep8 prettier biome dprint
branching: rebase merge squash
line_endings: lf crlf
naming: camelcase snake_case camel_case kebab_case pascal_case snakecase kebabcase pascalcase
licence: mit apache gpl lgpl agpl bsd mpl unlicense proprietary
weekday: monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag
  samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado
  domingo
month: january february march april may june july august september october november december januar februar marz mai
  juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
season: spring summer autumn winter fall
daypart: morning noon afternoon evening night midnight dawn dusk
frequency: hourly daily nightly weekly biweekly monthly quarterly yearly
color: red blue green yellow orange purple pink brown black white gray grey violet turquoise beige gold silver
  maroon navy teal cyan magenta tan olive crimson rot blau gruen grun gelb schwarz weiss rouge bleu vert jaune noir
  blanc rojo azul verde amarillo negro blanco
hair: blonde brunette redhead bald
direction: north south east west northeast northwest southeast southwest left right
size: tiny small medium large huge giant xs xl xxl
shape: round square triangular rectangular oval circular
marital: single married divorced widowed engaged
diet: vegan vegetarian pescatarian carnivore omnivore
blood: a_positive a_negative b_positive b_negative o_positive o_negative ab_positive ab_negative
nationality: american british english french german spanish italian portuguese dutch belgian swiss austrian polish
  czech hungarian romanian bulgarian greek turkish russian ukrainian swedish norwegian danish finnish irish scottish
  welsh canadian mexican brazilian argentinian chilean colombian peruvian cuban chinese japanese korean vietnamese
  thai indian pakistani bangladeshi indonesian malaysian filipino australian israeli egyptian moroccan nigerian
  kenyan ethiopian iranian iraqi syrian lebanese saudi afghan cambodian mongolian nepalese icelandic croatian
  serbian african asian european hispanic latino caucasian indians chinaman jamaican
ordinal: first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth last
planet: mercury venus earth mars jupiter saturn uranus neptune pluto moon
priority: p0 p1 p2 p3 low medium high urgent critical
tense: past present future
verdict: approved rejected pending draft merged abandoned cancelled postponed
weather: sunny rainy snowy cloudy foggy stormy windy
grade: junior senior principal staff_engineer intern
temperature: freezing cold cool lukewarm warm hot boiling
quantity: none one couple dozen hundreds thousands
gender: male female
database: postgresql mysql mariadb sqlite mongodb redis cassandra dynamodb cockroachdb oracle mssql sql_server
  clickhouse duckdb neo4j couchdb elasticsearch firestore snowflake bigquery
orm: sqlalchemy django_orm prisma typeorm sequelize drizzle hibernate activerecord peewee
programming_language: python javascript typescript rust golang java kotlin swift ruby php perl scala haskell elixir
  erlang clojure lua julia c++ c# fortran cobol zig dart ocaml
editor: vim neovim emacs vscode sublime pycharm intellij nano helix zed notepad atom webstorm cursor
os: linux macos windows ubuntu debian fedora arch nixos freebsd android ios centos alpine mint
shell: bash zsh fish powershell
cloud: aws gcp azure hetzner digitalocean heroku vercel netlify cloudflare linode ovh fly.io
ci: jenkins circleci travis github_actions gitlab_ci buildkite teamcity drone
container: docker podman kubernetes nomad compose
web_framework: django flask fastapi rails laravel express spring koa nestjs phoenix actix starlette
frontend_framework: react vue angular svelte solid ember jquery nextjs nuxt remix
css: tailwind bootstrap bulma sass less
test_runner: pytest unittest nose jest mocha vitest jasmine karma junit testng rspec
e2e: selenium cypress playwright puppeteer
bundler: webpack vite rollup esbuild parcel turbopack
linter: eslint ruff flake8 pylint biome standardjs
queue: kafka rabbitmq sqs nats celery sidekiq zeromq pulsar
webserver: nginx apache caddy traefik haproxy gunicorn uvicorn
vcs: git mercurial svn perforce
git_host: github gitlab bitbucket gitea codeberg
tracker: jira linear trello asana github_issues notion youtrack
chat: slack teams discord mattermost telegram whatsapp signal zoom
browser: chrome firefox safari edge brave opera
format: json yaml toml xml csv protobuf avro parquet ini msgpack
protocol: rest graphql grpc soap websocket http mqtt
auth_kind: jwt oauth session_cookies api_keys saml basic_auth
log_level: debug info warning error trace
architecture: x86 arm amd64 arm64 riscv
llm: claude gpt gemini llama mistral
country: germany france spain italy portugal switzerland austria belgium netherlands poland denmark sweden norway
  finland iceland ireland uk england scotland wales greece turkey russia ukraine romania hungary bulgaria croatia
  serbia usa canada mexico brazil argentina chile peru colombia cuba china japan korea south_korea north_korea
  vietnam thailand india pakistan bangladesh nepal indonesia malaysia singapore philippines australia new_zealand
  egypt morocco tunisia nigeria kenya ethiopia south_africa ghana israel iran iraq syria lebanon jordan saudi_arabia
  afghanistan mongolia taiwan cambodia deutschland frankreich spanien italien allemagne espagne alemania francia
city: berlin munich hamburg cologne frankfurt paris lyon marseille london manchester madrid barcelona lisbon rome
  milan vienna zurich geneva amsterdam brussels copenhagen stockholm oslo helsinki dublin prague warsaw budapest
  athens istanbul moscow kyiv tokyo osaka kyoto seoul beijing shanghai singapore bangkok delhi mumbai bangalore
  sydney melbourne toronto vancouver montreal chicago boston seattle austin dallas houston denver miami atlanta
  philadelphia new_york san_francisco los_angeles nairobi lagos cairo munchen wien koln
continent: africa asia europe australia antarctica north_america south_america
region: us-east-1 us-west-2 us-east-2 eu-west-1 eu-central-1 ap-southeast-1
spoken_language: english german french spanish italian portuguese dutch polish russian ukrainian chinese mandarin
  japanese korean arabic hindi turkish swedish deutsch englisch franzosisch anglais francais espanol ingles
drink: coffee tea water milk juice lemonade beer wine whisky whiskey vodka gin rum champagne cocktail soda cola coke
  pepsi smoothie cider brandy tequila espresso cappuccino kaffee tee the_vert cafe bier kakao cocoa sprite
vegetable: tomato potato carrot cucumber onion garlic broccoli cauliflower celery lettuce spinach pepper eggplant
  zucchini cabbage pea bean corn radish beet asparagus pumpkin mushroom leek kale turnip artichoke
fruit: apple banana orange pear peach plum cherry grape strawberry raspberry blueberry mango pineapple melon
  watermelon lemon lime kiwi apricot
food: pizza pasta sushi burger sandwich salad soup steak rice bread cake chocolate cheese curry noodles taco burrito
meat: beef pork chicken turkey lamb fish shrimp
meal: breakfast lunch dinner brunch
instrument: guitar piano violin drum drums flute trumpet saxophone cello clarinet harp banjo bass harmonica
  accordion trombone tuba oboe ukulele keyboard didgeridoo mandolin bagpipes organ electric_guitar
sport: soccer football basketball baseball tennis volleyball golf hockey rugby cricket boxing skiing snowboarding
  surfing swimming badminton karate judo skateboarding bowling
animal: dog cat horse cow pig sheep goat chicken duck bird fish rabbit lion tiger elephant monkey bear wolf fox deer
  mouse rat snake frog turtle panda zebra giraffe camel lizard hamster squirrel
vehicle: car truck bus train bicycle motorcycle airplane boat helicopter taxi tram scooter van tractor ship
material: wood wooden metal plastic glass stone brick concrete paper leather cotton wool silk steel iron gold silver
  bronze copper marble clay rubber cardboard sand cement ceramic porcelain aluminium aluminum denim velvet nylon
  snow mud ice gravel grass
room: kitchen bathroom bedroom living_room dining_room garage basement attic office hallway balcony cellar closet
  toilet lounge pantry nursery study lobby laundry_room lab restaurant
place: beach park street mountain forest desert river lake ocean pool field garden farm city market church school
  hospital library museum airport station mall restaurant bar gym stadium theater cinema hotel roof
garment: shirt t-shirt jacket coat sweater dress skirt pants jeans shorts suit hat cap helmet shoes boots sandals
  gloves scarf tie uniform bikini swimsuit
furniture: table chair couch sofa bed desk bench stool shelf
profession: doctor nurse teacher lawyer engineer designer chef pilot farmer driver carpenter plumber electrician
  accountant journalist architect dentist baker firefighter policeman soldier
family: mother father brother sister son daughter uncle aunt cousin nephew niece grandmother grandfather husband wife
limb: arm leg hand foot head knee elbow shoulder
activity: sleep eat drink cook dance sing swim read write paint run walk sit jump climb drive ride fly drum ski surf
  fish hunt shop
car_brand: bmw audi mercedes volkswagen toyota honda ford tesla volvo fiat renault
phone_kind: iphone android pixel
religion: christian muslim jewish buddhist hindu atheist
"""

# Where a statement holds.
_PLACES = """
environment: production staging development test local sandbox qa preview
tier_of_code: frontend backend mobile desktop
"""


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    members: dict[str, set[str]] = {}
    name = ""
    for word in (_VALUES + _PLACES).split():
        if word.endswith(":"):
            name = word[:-1]
        else:
            members.setdefault(lemma(word), set()).add(name)
    return {word: frozenset(names) for word, names in members.items()}


@lru_cache(maxsize=1)
def _names_of_places() -> frozenset[str]:
    return frozenset(word[:-1] for word in _PLACES.split() if word.endswith(":"))


@lru_cache(maxsize=65536)
def classes_of(word: str) -> frozenset[str]:
    """The classes a stem belongs to, by itself or as a synonym of a member's usual name."""
    return _table().get(word, frozenset())


@lru_cache(maxsize=16384)
def exclusive(one: str, other: str) -> bool:
    """Are two stems different values of one kind?"""
    return not alike(one, other) and bool(classes_of(one) & classes_of(other) - _names_of_places())


@lru_cache(maxsize=1)
def phrases() -> frozenset[str]:
    """All entries of several words, joined by underscores."""
    return frozenset(word for word in _table() if "_" in word)

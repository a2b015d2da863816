"""Commands as they stand in ordinary sessions. The first only look; the others change something, as they should."""

from __future__ import annotations

LOOKING = tuple(
    line
    for line in r"""
ls
ls -la src/
ls -1 | head -20
cat README.md
cat src/app.py | head -100
cat package.json | jq '.scripts'
head -n 50 src/main.rs
tail -100 logs/dev.log
wc -l src/*.py
grep -rn "npm" .
grep -rn 'git push --force' docs/
grep -E "rm -rf|sudo" scripts/*.sh
rg -n "terraform apply" --glob '*.md'
rg 'TODO|FIXME' src | wc -l
git grep 'terraform apply'
git grep -n "force-push" -- docs
git status
git status --short
git log --oneline -20
git log --oneline --all --graph | head -30
git log --grep='force push' --oneline
git log -S 'rm -rf' --oneline
git diff
git diff HEAD~1 -- src/app.py
git diff --stat origin/main...HEAD
git show HEAD:src/app.py
git show --stat HEAD
git blame -L 10,20 src/app.py
git branch
git branch -a
git branch --show-current
git branch --list 'feature/*'
git branch --contains abc123
git remote -v
git remote get-url origin
git stash list
git stash show -p stash@{0}
git tag --list
git tag -l 'v1.*'
git rev-parse HEAD
git rev-parse --show-toplevel
git ls-files | grep test
git config --get user.email
git config --list
git worktree list
git reflog | head
git describe --tags
git merge-base main HEAD
git shortlog -sn
git -C ../other status
git --no-pager log -3
git cat-file -p HEAD
git check-ignore -v build
git submodule status
git push --dry-run
git push -n origin main
git clean -n
find . -name '*.py' -not -path './.venv/*'
find . -type f -name "*.ts" | head -50
find src -newer package.json -print
fd -e py
tree -L 2
pwd
date
whoami
which python3
type git
command -v node
echo "done"
echo "never run git push --force"
echo $PATH
echo rm -rf build
printf '%s\n' "rm -rf /"
env | grep NODE
printenv HOME
ps aux | grep node
lsof -i :3000
df -h
du -sh node_modules
stat package.json
file dist/app.js
diff a.txt b.txt
sort names.txt | uniq -c | sort -rn
cut -d, -f1 data.csv
awk '{print $1}' access.log
awk -F: '$3 > 100 {print $1}' users.txt
awk 'NR>1 && $2 > 5' data.txt
sed -n '1,40p' src/app.py
sed 's/foo/bar/' file.txt | head
sed -n '/start/,/end/p' log.txt
jq '.dependencies | keys' package.json
xxd file.bin | head
sha256sum dist/*.whl
test -f package.json && echo yes
[ -d node_modules ] && echo installed
[[ -f .env.example ]] && echo there
if [ -f Makefile ]; then cat Makefile; fi
for f in *.md; do head -1 "$f"; done
for f in src/*.py; do echo "== $f"; wc -l "$f"; done
while read -r line; do echo "$line"; done < names.txt
cd src && ls
cd src; grep -n main *.go
(cd web && cat package.json)
cat <<'EOF'
rm -rf build
git push --force
EOF
ls 2>/dev/null || true
ls > /dev/null 2>&1
true && false || echo x
basename "$(pwd)"
dirname src/app/main.py
realpath .
readlink -f link
docker ps
docker logs web --tail 50
docker images | head
kubectl --help
terraform --version
npm ls
npm --version
npm view react version --help
pip list
pip show requests
cargo --version
go version
node --version
python3 --version
pytest --version
make --version
systemctl status nginx
crontab -l
sqlite3 app.db "SELECT count(*) FROM audit_log"
sqlite3 app.db .schema
psql -c "select 1"
psql -c 'SELECT count(*) FROM audit_log'
mysql -e "show tables"
history | tail
sleep 1
seq 1 10
xargs -n1 echo < list.txt
cat list.txt | xargs -I{} echo {}
find . -name '*.py' | xargs grep -l TODO
find . -name '*.py' -exec grep -l TODO {} +
column -t -s, data.csv
nl -ba src/app.py | sed -n '10,20p'
tail -f log.txt | grep ERROR
uname -a
id
nproc
free -m
uptime
strings bin | grep version
nightgarden recall "port"
ng list
zcat logs.gz | head
tr 'a-z' 'A-Z' < names.txt
bc <<< "1+2"
expr 1 + 2
time ls
timeout 5 cat file.txt
sudo -l -n --version || true
git log --since="2 weeks ago" --author=anna --pretty=format:"%h %s"
git log -p --follow -- src/app.py | head -200
git log main..HEAD --oneline
git diff --cached --name-only
git diff main...feature -- '*.py' | grep '^+' | wc -l
git diff HEAD --stat -- . ':!package-lock.json'
git show HEAD~2 --name-only --format=
git stash list | head -3
git rev-list --count HEAD
git rev-parse --abbrev-ref HEAD
git ls-tree -r HEAD --name-only | head
git for-each-ref --sort=-committerdate refs/heads --format='%(refname:short)'
git name-rev HEAD
git blame src/app.py | grep anna | wc -l
git grep -l "import os" -- '*.py'
git status -sb && git log -1
cd src && ls
cd src && grep -n "def main" *.py
ls -lt | head -5
ls -d */
ls -R docs | wc -l
find . -name '*.py' -not -path './.venv/*' | wc -l
find src -type f -name '*.ts' -newer package.json
find . -maxdepth 2 -type d
find . -size +1M -type f | head
find . -name '*.test.ts' | xargs wc -l | tail -1
grep -rn "TODO" src --include=*.py
grep -c "def test_" tests/test_app.py
grep -v '^#' requirements.txt | sort
grep -rl "useState" src/components | sort | uniq
grep -n -A5 -B2 "class User" src/models.py
grep -o 'v[0-9.]*' CHANGELOG.md | head -1
rg --files | head
rg -l "deprecated" --type py
rg -c 'console\.log' src | sort -t: -k2 -nr | head
cat src/a.py src/b.py | wc -l
cat -n src/app.py | sed -n '10,40p'
sed -n '1,80p' src/app.py
sed -n '/def main/,/^def /p' src/app.py
awk -F, '{print $2}' data.csv | sort | uniq -c | sort -rn | head
awk 'NR>=10 && NR<=20' src/app.py
head -5 data.csv | cut -d, -f1-3
tail -n +2 data.csv | wc -l
sort names.txt | uniq -d
diff -u a.txt b.txt
diff <(sort a.txt) <(sort b.txt)
comm -12 <(sort a) <(sort b)
jq '.dependencies | keys' package.json
jq -r '.scripts.test' package.json
cat tsconfig.json | jq .compilerOptions
wc -l $(git ls-files '*.py')
du -sh .
du -h --max-depth=1 | sort -h
df -h
stat -c '%s' dist/app.js
file dist/app.js
md5sum dist/*.js
xxd logo.png | head -2
date -u +%FT%TZ
echo $PATH
echo "done: $?"
pwd && ls
which python && python --version
node --version
npm ls --depth=0
npm outdated
pip list | grep -i django
pip show requests
cargo tree | head
go list ./...
python -V
env | grep -i python
printenv HOME
ps aux | grep node
lsof -i :3000
tree -L 2
test -f package.json && echo yes
[ -d node_modules ] && echo installed
for f in src/*.py; do wc -l "$f"; done
if grep -q foo README.md; then echo found; fi
ls *.md | while read f; do head -1 "$f"; done
basename $(pwd)
readlink -f src
docker ps
docker logs web --tail 20
docker images | head
ls -la
ls -lah src | head -20
cat *
cat src/*.py
wc -l *
wc -l src/**/*.py
grep -n foo *
grep -rn "TODO" src
grep -rn --include='*.py' "import os" .
rg -n "def main" -g '*.py'
rg foo -t py -A3 -B3
rg --files | wc -l
rg --files -g '!node_modules'
find . -name '*.py' -not -path './node_modules/*'
find . -type f -name '*.ts' | head
find . -name '*.py' | xargs grep -n foo
find . -name '*.py' -exec grep -l foo {} +
find src -name '*.py' -exec wc -l {} \;
find . -type f -size +1M -exec ls -lh {} \;
fd -t f config src
tree -I node_modules -a
head -50 package.json
tail -n 100 logs/app.log
tail -f logs/app.log
sed -n '10,20p' src/a.py
sed -n '/def foo/,/^def /p' src/a.py
sed -n '/w/p' a.txt
sed 's/world/wide/' a.txt
sed -e 's/a/b/g' -e '/^#/d' a.txt
sed 's|a|b|' a.txt
sed '/^$/d' a
sed -E 's/(foo|bar)e/\1/' a
awk '{print $1}' a.txt
awk -F: '{print $1, $3}' /etc/passwd
awk '$3 > 100 {print $1}' data.tsv
awk '{if ($1 > 5) print $2}' a
awk '/foo|bar/ {print NR": "$0}' a
awk 'NR>=10 && NR<=20' a
awk '{s+=$1} END {print s}' a
awk '{ printf "%s > %s\n", $1, $2 }' a
awk -v x=1 '$1 == x || $2 > x' a
awk '{print ($1 > 2 ? "a" : "b")}' a
cut -d, -f1 data.csv | sort | uniq -c | sort -rn | head
jq . package.json
jq -r '.scripts | keys[]' package.json
jq '.a > 1' x.json
jq -r '.dependencies | to_entries[] | "\(.key)@\(.value)"' package.json
diff a b
diff -u old.py new.py
diff <(sort a) <(sort b)
stat README.md
file bin/x
du -sh node_modules | sort -h
ps -ef
pgrep -fl python
top -bn1 | head
type ls
echo "hello world"
echo "git push --force is forbidden"
echo "rm -rf /"
printf '%s\n' a b
date +%Y-%m-%d
date -u +"%Y-%m-%dT%H:%M:%SZ"
date -d yesterday +%F
hostname
free -h
man ls
man git-log
history | tail -20
[ -d src ] && ls src
[ -n "$(git status --porcelain)" ] && echo dirty
[[ -f .env ]] && echo has
[[ "$x" == foo* ]] && echo y
if [ -f a ]; then cat a; fi
for f in src/*.py; do echo "$f"; head -1 "$f"; done
while read -r l; do echo "$l"; done < a.txt
xargs -n1 echo < a.txt
ls | xargs -n 1 basename
sort -u a.txt
tr a-z A-Z < a.txt
md5sum a
sha256sum dist/*
xxd a | head
od -c a | head
base64 a
strings bin/x | head
column -t a
tac a
nl a
rev a
ls .env
ls -la .env*
stat .env
test -f .env
[ -f .env ] && echo ok
cat .env.example
cat .env.sample
diff .env.example .env.template
git check-ignore -v .env
git status -sb
git diff --stat
git diff HEAD~1
git diff main...HEAD
git diff --cached
git diff --name-only origin/main
git diff HEAD~3 -- src/a.py
git log -p -2
git log --graph --all --decorate
git log --author=me --since='2 weeks ago'
git log -S foo --oneline
git log --format='%h %s' main..HEAD
git show HEAD
git show HEAD:README.md
git show --stat HEAD~1
git blame src/a.py
git blame -L 10,20 src/a.py
git branch -vv
git branch --merged main
git tag
git tag -l 'v*'
git remote show
git stash show -p
git stash show -p stash@{1}
git ls-files
git ls-files --others --exclude-standard
git ls-tree -r HEAD --name-only
git grep -n foo
git grep -l 'bar' -- '*.py'
git reflog
git reflog -10
git config user.email
git config --get remote.origin.url
git cherry -v main
git for-each-ref --sort=-committerdate refs/heads
git range-diff main a b
git -C sub log -3
git --no-pager log -5
git -c color.ui=always diff | head
git whatchanged -3
git bisect log
git archive HEAD | tar t
git help push
git --version
git push --force --dry-run
npm list react
npm config get registry
npm pkg get version
npm root
npm bin
npm -v
node -v
python --version
python3 -V
pip freeze
pip check
uv tree
uv pip list
uv --version
uv python list
poetry show
poetry --version
cargo tree
cargo metadata --format-version 1
rustc --version
rustup show
go env
go env GOPATH
go list -m all
go doc fmt.Println
go vet ./...
go mod graph
go mod why x
java -version
javac -version
mvn -v
gradle --version
dotnet --version
dotnet --info
ruby -v
gem list
bundle list
php -v
composer --version
docker ps -a
docker images
docker logs app
docker logs -f --tail 100 app
docker inspect app
docker version
docker compose ps
docker compose logs api
docker-compose logs
docker stats --no-stream
docker network ls
docker volume ls
docker image ls
docker container ls
docker context ls
journalctl -u nginx -n 50
cmake --version
sqlite3 app.db '.tables'
sqlite3 app.db '.schema users'
sqlite3 app.db 'select * from users limit 5'
psql -c 'select count(*) from users'
psql -c '\dt'
psql -l
redis-cli ping
ip addr
ip a
ip route
ifconfig
netstat -tlnp
ss -tlnp
lscpu
lsblk
locale
tput cols
printenv PATH
basename $PWD
readlink -f a
dirname $(realpath a)
zcat a.gz | head
tar tf a.tar
tar tzf a.tgz | head
unzip -l a.zip
bc <<< '1+1'
echo '2*3' | bc
cloc .
tokei
shuf -n 5 a
timeout 5 ls
nice ls
true
:
clear
code --version
bat src/a.py
less README.md
view README.md
yq '.a' x.yml
yq eval '.services' docker-compose.yml
xmllint --format a.xml
xmllint --xpath '//a' a.xml
hexdump -C a | head
cmp a b
cksum a
iconv -f latin1 -t utf8 a.txt
exa -l
eza --tree
nightgarden status
nightgarden recall foo
nightgarden permissions list
nightgarden safety check -- ls
npm audit
npm view react version
docker system df
mysql -u root -e 'show tables'
openssl rand -hex 32
export NODE_ENV=production
watch -n1 ls
git ls-files | while read f; do wc -l "$f"; done
""".strip().splitlines()
    if line and not line.startswith(("cat <<", "rm -rf build", "git push --force", "EOF", "sudo"))
)

CHANGING = tuple(
    r"""
touch new.txt
mkdir -p src/new
cp a.txt b.txt
mv a.txt b.txt
rm a.txt
rm -rf build
echo hi > out.txt
echo hi >> out.txt
ls | tee files.txt
sed -i 's/a/b/' file.txt
git add .
git add -A && git commit -m "never use git push --force"
git commit -am wip
git commit --amend --no-edit
git checkout -b feature/x
git switch main
git stash
git stash pop
git fetch
git pull --rebase
git push
git push -u origin feature/x
git push origin HEAD
git merge main
git rebase main
git reset --hard HEAD~1
git restore src/app.py
git clean -fd
git tag v1.0.0
git branch -D old
git config user.email x@y.z
npm install
npm ci && npm test
npm run build
pnpm add react
pip install -e .
uv sync
uv run pytest -x
poetry install
cargo build
cargo test
go build ./...
go test ./...
make test
pytest -q tests/
python manage.py migrate
python script.py
node server.js
./scripts/deploy.sh
bash scripts/setup.sh
docker build -t app .
docker compose up -d
docker rm -f web
kubectl apply -f k8s/
terraform apply -var env=dev
curl http://localhost:3000/health
curl -s https://api.example.com/v1/items | jq .
wget https://example.com/data.csv
gh pr create --fill
gh issue comment 3 --body done
gh pr merge 12
ssh host uptime
scp a.txt host:/tmp
rsync -a dist/ host:/srv
kill 1234
pkill -f node
systemctl restart nginx
sudo apt-get update
brew install jq
psql -c "DELETE FROM users"
sqlite3 app.db "DROP TABLE x"
chmod +x run.sh
ln -s a b
tar czf x.tgz src
unzip x.zip
patch -p1 < fix.diff
export PATH=$PATH:/opt/bin
crontab -e
frobnicate --all
some-tool run
touch a.txt
cp a b
cp -r src src2
cp .env.example .env
mv a b
rm -rf node_modules
rm -rf dist/ .cache
rm -f *.pyc
find . -name '*.pyc' -delete
find . -name __pycache__ -type d -exec rm -rf {} +
find . -name '*.orig' | xargs rm -f
tee out.txt <<< hi
sed -i 's/a/b/' src/a.py
sed -i '' 's/a/b/' src/a.py
sed -i.bak -e 's/x/y/g' a
perl -pi -e 's/a/b/' src/a.py
chmod 600 .env
touch .env
rm .env
ln -s src/a b
ln -sf ../README.md docs/README.md
patch -p1 < a.diff
git add -A
git add src/a.py
git add -p
git commit -m 'x'
git commit -am 'fix: x'
git commit -m "never git push --force"
git switch -c feature/x
git checkout main
git checkout feature
git checkout -- a.py
git restore a.py
git restore --staged a.py
git reset a.py
git reset HEAD a.py
git reset
git reset -- src
git stash push -m wip
git stash apply
git merge feature
git merge --no-ff feature
git merge --abort
git cherry-pick abc123
git revert HEAD
git revert --no-edit abc
git rebase --abort
git rebase --continue
git tag -a v1 -m x
git branch feature
git branch -d feature
git branch -D feature
git branch -m old new
git mv a b
git rm a
git rm --cached .env
git rm -r --cached node_modules
git fetch origin
git fetch --all --prune
git fetch -p
git fetch origin main:main
git pull
git pull --ff-only
git pull origin main
git push origin feature
git push -u origin feature
git push --set-upstream origin HEAD
git push --tags
git push origin v1.0.0
git clone https://github.com/a/b.git
git clone --depth 1 https://github.com/a/b.git
git submodule update --init --recursive
git worktree add wt feature
git config user.name x
git config --global user.name x
git remote add upstream https://x/y
git init
git apply a.patch
git am < a.patch
git format-patch -1
git gc
git bisect start
git bisect good
git bisect run pytest
git notes add -m x
git lfs pull
npm ci
npm i react
npm i -D typescript
npm run dev
npm test
npm test -- --watch
npm run lint -- --fix
npm start
npm init -y
npm update
npm uninstall x
npm version patch
npm pack
npm link
npm audit fix
npx tsc --noEmit
npx eslint .
npx prettier --write .
npx create-react-app x
npx jest
npx playwright test
pnpm install
pnpm add x
pnpm run build
pnpm -r build
pnpm dlx x
yarn
yarn install --frozen-lockfile
yarn add x
yarn build
yarn test
bun install
bun run dev
bun test
deno test
deno run main.ts
deno fmt
python app.py
python -m pytest
python -m pytest tests -x -q
pytest
pytest -k foo
pytest tests/test_a.py::test_b
python manage.py runserver
python manage.py makemigrations
python -m venv .venv
. .venv/bin/activate
source .venv/bin/activate
source venv/bin/activate && pip install -r requirements.txt
pip install -r requirements.txt
pip install -e '.[dev]'
pip uninstall x
uv add x
uv run pytest
uv run python a.py
uv pip install x
uv lock
uvx ruff check
poetry add x
poetry run pytest
pipx install x
tox
nox
ruff check .
ruff check --fix .
ruff format
black .
isort .
mypy src
pyright
flake8
pre-commit run --all-files
pre-commit install
alembic upgrade head
flask run
uvicorn app:app --reload
celery -A app worker
jupyter notebook
conda activate x
conda install numpy
cargo build --release
cargo run
cargo check
cargo clippy -- -D warnings
cargo fmt
cargo fmt --check
cargo add serde
cargo update
cargo clean
cargo bench
cargo doc --open
cargo install ripgrep
go test -race -v ./...
go run .
go run main.go
go mod tidy
go get x
go install x@latest
go fmt ./...
gofmt -w .
gofmt -l .
goimports -w .
golangci-lint run
go generate ./...
mvn clean install
mvn test
mvn -q package -DskipTests
./mvnw test
gradle build
./gradlew build
./gradlew test --tests Foo
./gradlew clean assemble
javac A.java
java -jar x.jar
kotlinc a.kt
sbt test
dotnet build
dotnet test
dotnet run
dotnet restore
dotnet ef migrations add x
bundle install
bundle exec rspec
bundle exec rails s
rails db:migrate
rake test
rspec
composer install
php artisan migrate
vendor/bin/phpunit
mix deps.get
mix test
iex -S mix
rebar3 eunit
stack build
cabal test
ghc a.hs
opam install x
dune build
zig build
swift build
swift test
xcodebuild -scheme x
pod install
flutter run
flutter test
dart pub get
elixir a.exs
julia a.jl
Rscript a.R
make
make -j8
make clean
make build install PREFIX=$PWD/out
cmake -B build -S .
cmake --build build
ninja -C build
ctest --test-dir build
bazel build //...
bazel test //...
just test
task build
docker build -t x .
docker run --rm -it x bash
docker run -p 80:80 -v $PWD:/app x
docker compose down
docker compose build
docker compose exec api bash
docker exec -it db psql -U postgres
docker stop x
docker rm x
docker pull x
kubectl get pods
kubectl logs x
kubectl port-forward svc/x 80
helm install x y
terraform init
terraform plan
terraform apply
ansible-playbook x.yml
aws s3 ls
aws sts get-caller-identity
gcloud projects list
gh pr list
gh pr view 1
gh pr checkout 1
gh pr diff
gh pr merge --squash --delete-branch
gh issue list
gh run list
gh run watch
gh repo clone a/b
gh api repos/a/b
curl -s https://api.github.com/repos/a/b | jq .name
curl -X POST -H 'Content-Type: application/json' -d '{"a":1}' http://localhost:8000/api
curl -o x.tgz https://x/y.tgz
wget https://x/y
ssh host ls
scp a host:b
rsync -av src/ dst/
rsync -av --delete dist/ out/
psql -f a.sql
psql -c 'insert into a values (1)'
createdb x
mongosh --eval 'db.x.find()'
redis-cli set a b
kill -9 1234
pkill -f 'node server'
lsof -ti:3000 | xargs kill
killall node
sudo apt-get install -y jq
sudo systemctl restart nginx
apt update
tar czf a.tgz src
tar xzf a.tgz
unzip a.zip
zip -r a.zip src
gzip a
openssl req -x509 -newkey rsa:4096 -keyout key.pem -out cert.pem -nodes
ssh-keygen -t ed25519 -f deploy_key -N ''
NODE_ENV=test npm test
FOO=bar python a.py
DATABASE_URL=x alembic upgrade head
PYTHONPATH=src pytest
RUST_LOG=debug cargo run
CI=1 npm test
set -e; npm ci; npm test
cd src && npm test
cd frontend && npm ci && npm run build && cd ..
(cd sub && make)
npm run build && npm test || echo failed
npm run dev &
nohup npm start > out.log 2>&1 &
npm test 2>&1 | tee out.log
pytest -q 2>&1 | tail -20
time make
xargs -P4 -n1 python a.py < list
parallel gzip ::: *.log
tmux new -d -s x 'npm run dev'
vim a.py
code .
open index.html
python3 -c 'open("out.txt","w").write("x")'
node -e 'require("fs").writeFileSync("a","b")'
node script.js
ts-node a.ts
tsx a.ts
bash run.sh
./run.sh
sh scripts/build.sh
source ./env.sh
eval "$(ssh-agent -s)"
eval "$(direnv hook bash)"
eval "$(pyenv init -)"
nvm use 20
pyenv local 3.11
asdf install
mise install
direnv allow
act
tsc --watch
vite build
webpack
next dev
eslint --fix .
prettier --write .
jest --watch
vitest run
cypress run
playwright test
storybook dev
ng-packagr
ffmpeg -i a.mp4 b.gif
convert a.png b.jpg
pandoc a.md -o a.pdf
dot -Tpng a.dot -o a.png
protoc --python_out=. a.proto
buf generate
sqlc generate
prisma migrate dev
npx prisma generate
drizzle-kit push
supabase start
firebase emulators:start
wrangler dev
vercel dev
netlify dev
heroku local
stripe listen
ngrok http 3000
mkdocs serve
hugo server
jekyll build
latexmk -pdf a.tex
kubectl version --client
make -n
python3 -c 'print(1)'
python3 -c 'import sys; print(sys.version)'
node -e 'console.log(1)'
node -p process.version
delta a b
tig --version
""".strip().splitlines()
)

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
""".strip().splitlines()
)

"""Names of languages, tools and services, and the tag each is filed under. Knows names only."""

from __future__ import annotations

from functools import lru_cache

_TAGS = """
python:python,py,cpython,pypy javascript:javascript,js,ecmascript typescript:typescript,ts,tsx rust:rust,rustc,cargo
go:golang,gopls java:java,jvm,jdk kotlin:kotlin swift:swift,swiftui
ruby:ruby,rubygems php:php,composer c:gcc,clang cpp:c++,cpp csharp:c#,csharp dotnet:dotnet,.net,nuget
scala:scala,sbt haskell:haskell,ghc,cabal elixir:elixir erlang:erlang clojure:clojure lua:lua julia:julia zig:zig
dart:dart flutter:flutter
perl:perl r:rstudio sql:sql html:html css:css,scss shell:bash,zsh,fish,powershell,shellcheck wasm:wasm,webassembly
postgresql:postgresql,postgres,psql,pgvector,pgbouncer mysql:mysql mariadb:mariadb sqlite:sqlite,sqlite3,fts5
mongodb:mongodb,mongo redis:redis,valkey elasticsearch:elasticsearch,opensearch kafka:kafka rabbitmq:rabbitmq
dynamodb:dynamodb cassandra:cassandra clickhouse:clickhouse duckdb:duckdb neo4j:neo4j snowflake:snowflake
bigquery:bigquery cockroachdb:cockroachdb oracle:oracle mssql:mssql
docker:docker,dockerfile,docker-compose,podman kubernetes:kubernetes,k8s,kubectl,helm,minikube
terraform:terraform,opentofu ansible:ansible nginx:nginx caddy:caddy traefik:traefik apache:apache,httpd
aws:aws,s3,ec2,lambda,cloudfront,sqs gcp:gcp azure:azure heroku:heroku vercel:vercel netlify:netlify
cloudflare:cloudflare hetzner:hetzner digitalocean:digitalocean
git:git,gitignore github:github,gh gitlab:gitlab bitbucket:bitbucket mercurial:mercurial svn:svn,subversion
jira:jira linear:linear slack:slack discord:discord notion:notion
ci:ci,jenkins,circleci,buildkite,teamcity linux:linux,ubuntu,debian,fedora,alpine,nixos,centos macos:macos,osx
windows:windows,wsl android:android ios:ios
django:django flask:flask fastapi:fastapi starlette:starlette,uvicorn rails:rails laravel:laravel express:expressjs
spring:spring,springboot nestjs:nestjs phoenix:phoenix
react:react,jsx vue:vue,vuejs,nuxt angular:angular svelte:svelte,sveltekit nextjs:nextjs,next.js remix:remix
tailwind:tailwind,tailwindcss bootstrap:bootstrap
pytest:pytest unittest:unittest jest:jest vitest:vitest mocha:mocha junit:junit rspec:rspec selenium:selenium
cypress:cypress playwright:playwright hypothesis:hypothesis
npm:npm,package.json yarn:yarn pnpm:pnpm bun:bun deno:deno nodejs:node,nodejs,node.js pip:pip,pypi poetry:poetry
uv:uv conda:conda,miniconda maven:maven gradle:gradle webpack:webpack vite:vite esbuild:esbuild
ruff:ruff black:black mypy:mypy pyright:pyright eslint:eslint prettier:prettier pylint:pylint flake8:flake8
biome:biome pre-commit:pre-commit
vim:vim,neovim,nvim emacs:emacs vscode:vscode intellij:intellij,pycharm,webstorm cursor:cursor zed:zed tmux:tmux
make:makefile,cmake
numpy:numpy pandas:pandas pytorch:pytorch,torch tensorflow:tensorflow,keras onnx:onnx,onnxruntime
scikit-learn:sklearn,scikit-learn jupyter:jupyter,ipynb polars:polars spark:spark,pyspark airflow:airflow dbt:dbt
sqlalchemy:sqlalchemy,alembic pydantic:pydantic celery:celery graphql:graphql grpc:grpc,protobuf
rest:rest,openapi,swagger oauth:oauth,oauth2,oidc jwt:jwt websocket:websocket,websockets mcp:mcp
claude:claude openai:openai,gpt,chatgpt gemini:gemini llama:llama,ollama grafana:grafana prometheus:prometheus
sentry:sentry datadog:datadog stripe:stripe figma:figma json:json yaml:yaml,yml toml:toml xml:xml csv:csv
parquet:parquet
"""


@lru_cache(maxsize=1)
def _tags() -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in _TAGS.split():
        tag, _, names = entry.partition(":")
        found.update(dict.fromkeys(names.split(","), tag))
        found.setdefault(tag, tag)
    return found


# Common words that are tools only when written with a capital: "Go", "Rust", "Express"; "make", "helm" stay words.
AMBIGUOUS = frozenset(
    """go rust swift spring express solid react less make phoenix linear notion cursor spark black flask rest node
    oracle lambda bun c r ci fish remix mercurial dart ruby julia perl apache vite windows slack hypothesis""".split()
)


def tag_of(word: str) -> str | None:
    """The tag a name is filed under, or None; ambiguous words only when capitalised."""
    lower = word.lower()
    tag = _tags().get(lower)
    if tag is None or (lower in AMBIGUOUS and word == lower):
        return None
    return tag

"""What counts as a secret. Every secret here is put together at run time, so that this file holds none."""

from __future__ import annotations

import base64
import random
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.domain.redact import redact, scrub
from nightgarden.domain.secrets import find_secrets

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(alphabet: str, length: int, seed: int = 7) -> str:
    """Random characters, with a digit and both cases if the alphabet has them."""
    source = random.Random(seed)
    while True:
        made = "".join(source.choice(alphabet) for _ in range(length))
        if any(c.isdigit() for c in made) and any(c.isalpha() for c in made):
            return made


PROVIDER_KEYS = [
    ("AWS access key", "AK" + "IA" + drawn(string.ascii_uppercase + "234567", 16)),
    ("Google API key", "AI" + "za" + drawn(ALNUM, 35)),
    ("GitHub token", "gh" + "p_" + drawn(ALNUM, 36)),
    ("GitHub token", "github" + "_pat_" + drawn(ALNUM, 82)),
    ("GitLab token", "gl" + "pat-" + drawn(ALNUM, 20)),
    ("Slack token", "xox" + "b-123412341234-123412341234-" + drawn(ALNUM, 24)),
    ("Stripe key", "sk" + "_live_" + drawn(ALNUM, 24)),
    ("OpenAI key", "sk-" + "proj-" + drawn(ALNUM, 74)),
    ("Anthropic key", "sk-" + "ant-api03-" + drawn(ALNUM, 93) + "AA"),
    ("Hugging Face token", "h" + "f_" + drawn(string.ascii_letters + "4", 34)),
    ("npm token", "npm" + "_" + drawn(ALNUM, 36)),
    ("PyPI token", "py" + "pi-AgEIcHlwaS5vcmc" + drawn(ALNUM, 70)),
    ("Twilio key", "S" + "K" + drawn(HEX, 32)),
    ("SendGrid key", "S" + "G." + drawn(ALNUM, 22) + "." + drawn(ALNUM, 43)),
    ("Mailgun key", "ke" + "y-" + drawn(HEX, 32)),
    ("Telegram bot token", "5086" + "27689:AA" + drawn(ALNUM, 33)),
    ("DigitalOcean token", "dop" + "_v1_" + drawn(HEX, 64)),
    ("Vault token", "hv" + "s." + drawn(ALNUM, 90)),
    ("age secret key", "AGE-SECRET" + "-KEY-1" + drawn("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    ("JSON web token", "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjMifQ." + drawn(ALNUM, 43)),
]


@pytest.mark.parametrize(("what", "key"), PROVIDER_KEYS, ids=lambda value: str(value)[:12])
def test_a_key_of_a_provider_is_found_by_its_shape_wherever_it_stands(what: str, key: str) -> None:
    for text in (key, f"use {key} for now", f'"{key}"', f"({key})", f"key={key};", f"\x1b[93m{key}\x1b[0m"):
        found = find_secrets(text)
        assert found, text
        assert text[found[0].start : found[0].end].find(key[6:]) >= 0
    assert find_secrets(key)[0].what == what


VALUE = drawn(ALNUM, 24, seed=3)
CHOSEN = "Tr0ub4dor" + "&3x"
ASSIGNMENTS = [
    'password = "{c}"',
    "password: {c}",
    "password={c}",
    "DB_PASSWORD={c}",
    "--password {c}",
    "--password={c}",
    "pwd:{c}",
    "my_pw: {c}",
    'String dbPassword = "{c}";',
    "define('DB_PASSWORD', '{c}');",
    "'password' => '{c}'",
    'PASSWORD := "{c}"',
    'if password == "{c}":',
    'def connect(passwd: str = "{c}"):',
    "<password>{c}</password>",
    "The wifi password is {c}.",
    "Das Passwort lautet {c}",
    "mot de passe : {c}",
    "la contraseña es {c}",
    "пароль: {c}",
    "密码：{c}",
    'password = os.environ.get("PW") or "{c}"',
    "id:admin pw:{c}",
    "psql postgresql://app:{c}@db.acme.dev/app",
    "mysql -u root --password={c}",
    "curl -u admin:{c} https://x.dev",
    "ALTER USER app WITH PASSWORD '{c}';",
    "CREATE USER app IDENTIFIED BY '{c}';",
    "sshpass -p {c} ssh web1",
    "Server=db;Uid=app;Pwd={c};",
    '{{"password": "{c}"}}',
    '\\"password\\": \\"{c}\\"',
    'api_key = "{v}"',
    "apiKey: '{v}'",
    "API_KEY={v}",
    'client_secret: "{v}"',
    "X-Api-Key: {v}",
    "Authorization: Bearer {v}",
    "auth_token={v}",
    "SECRET_KEY='{v}'",
    "export SLACK_TOKEN={v}",
    "https://x.dev/?access_token={v}&a=1",
    'token := "{v}"',
    "--token {v}",
    "<apiKey>{v}</apiKey>",
    'System.setProperty("API_KEY", "{v}")',
    "access key: {v}",
    "the token is {v}",
    'encryptionKey = "{v}"',
    "datadog_key: {v}",
    "set apikey={v}",
    'private_token => "{v}"',
    "%define token {v}",
]


@pytest.mark.parametrize("form", ASSIGNMENTS)
def test_a_secret_under_a_telling_name_is_found_in_many_ways_of_writing(form: str) -> None:
    text = form.format(c=CHOSEN, v=VALUE)
    assert find_secrets(text), text


@pytest.mark.parametrize(
    "key", ["sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz0123456789", "AIza" + "Syabcdefghijklmnopqrstuvwxyz1234567"]
)
def test_a_key_typed_out_to_see_what_happens_is_refused_like_a_real_one(key: str) -> None:
    assert find_secrets(f"the key is {key} for now")


STAND_INS = [
    "<your-key>",
    "xxxxxxxxxxxxxxxx",
    "${DB_PASSWORD}",
    "{{ password }}",
    "changeme",
    "your-api-key-here",
    "********",
    "os.environ['KEY']",
    "process.env.API_KEY",
    "settings.password",
    "getpass()",
    "$PASSWORD",
    "%PASSWORD%",
    "$(cat token.txt)",
    "[PASSWORD]",
    "None",
    "null",
    "example",
    "REPLACE_ME_WITH_TOKEN",
    "...",
    "[redacted: password]",
    "op://vault/item/field",
    "/run/secrets/db",
    "",
]


@pytest.mark.parametrize("stand_in", STAND_INS)
@pytest.mark.parametrize("form", ["password = {}", 'api_key: "{}"', "SECRET_TOKEN={}", "token is {}"])
def test_what_only_stands_where_a_secret_would_is_none(form: str, stand_in: str) -> None:
    assert find_secrets(form.format(stand_in)) == ()


def test_private_keys_are_found_whole_and_their_headers_alone_are_not() -> None:
    head, tail = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"
    key = f"{head}\n{drawn(ALNUM, 64)}\n{drawn(ALNUM, 64, 9)}\n{tail}"
    text = f"before {key} after"
    assert [text[f.start : f.end] for f in find_secrets(text)] == [key]
    assert find_secrets(f"The file must start with {head} to be accepted.") == ()


def test_a_secret_inside_base_64_is_found() -> None:
    hidden = base64.b64encode(
        f'user: app\npassword: "{CHOSEN}"\nhost: db.acme.dev and some more words'.encode()
    ).decode()
    assert find_secrets(f"values: {hidden}")


def test_env_content_is_found_even_with_plain_words_for_values() -> None:
    content = "APP_ENV=production\nDB_HOST=db.acme.dev\nDB_PASSWORD=" + "sunflowers" + "\nPORT=80"
    assert [content[f.start : f.end] for f in find_secrets(content)] == ["sunflowers"]


def test_a_password_that_is_spoken_of_in_a_sentence_is_found_in_many_languages() -> None:
    for text in (
        "Das Passwort für den Server lautet Sonnenblume99!",
        "The password for the staging server is Sunflower99!",
        "Le mot de passe du serveur est Tournesol99!",
        "La contraseña del servidor es Girasol99!",
        "A senha do servidor é Girassol99!",
        "Het wachtwoord van de server is Zonnebloem99!",
        "Hasło do serwera to Slonecznik99!",
        "Mein Kennwort heißt Regenbogen42",
    ):
        assert find_secrets(text), text
    for text in (
        "Das Passwort für den Server liegt im Tresor 12.",
        "Das Passwort des Servers ist geändert worden.",
        "The password for the staging server is in 1Password.",
        "Le mot de passe du serveur est dans le coffre.",
    ):
        assert not find_secrets(text), text


@pytest.mark.parametrize(
    "text",
    """Пароль от сервера: Kukushka77!|Пароль от базы — Kukushka77!|数据库密码是Sunflower99!|密碼是 Sunflower99!
    |密码：Sunflower99!|パスワードは Sunflower99! です|비밀번호는 Sunflower99! 입니다|Şifre Aycicegi99!
    |كلمة المرور هي Sunflower99!|סיסמה: Sunflower99!|Lösenordet är Solros99!|Heslo je Slunecnice99!
    |पासवर्ड Sunflower99! है|Mật khẩu là Huongduong99!|Kata sandi: Bunga99!x|пин-код карты 4821|ПИН-код: 4821
    |银行卡PIN码是4821|暗証番号は4821です|The PIN of the card is 4821|My PIN is 4821|PIN 4821
    |Die PIN der Karte lautet 4821|Le code PIN est 4821|El PIN es 4821""".split("|"),
)
def test_passwords_and_pins_are_found_where_languages_join_name_and_value_in_their_own_ways(text: str) -> None:
    assert find_secrets(text)


@pytest.mark.parametrize(
    "text",
    """Пароль надо менять каждые 90 дней|Пароль: не менее 12 символов|密码需要每90天更换一次|密码至少12位|密码是必填项
    |パスワードは12文字以上|Heslo je povinné|Lösenordet är för kort|Şifre alanı zorunludur|Mật khẩu là bắt buộc
    |The GPIO pin is 17|We pin node to version 20.11|PIN code: 560001|pin 3 is ground|The pin was added in 2024
    |Pin 1024 threads to cores|A PIN is 4 digits|pin: 2024-01-01|the spin is 1500 rpm""".split("|"),
)
def test_words_about_passwords_and_pins_are_none_in_any_language(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password is {}", "sword" + "fish"),
        ("The password for the staging server is {}.", "marma" + "lade"),
        ("the passphrase is {}", "correct horse " + "battery staple"),
        ("DB_PASS='{}'", "correct horse " + "battery staple"),
        ("The 2FA backup codes are {}", "9999-1111, " + "2222-3333"),
        ("recovery code: {}", "8f3a99" + "b177c2"),
        ("Our mailbox password is '{}', with the blanks.", "green otters " + "sing badly"),
        ("Das Kennwort für den Beamer ist „{}“, alles klein", "blauer " + "Otter"),
        ("La contraseña es «{}», como siempre", "sobre" + "mesa"),
        ("SIM PUK is {}", "2632" + "1806"),
        ("code du coffre : {}", "58" + "3920"),
        ("Der Code für die Haustür ist {}", "19" + "89"),
        ("código de la alarma: {}", "44" + "12"),
        ("The door code is {}, same as last year", "4471" + "#"),
        ("Our 24 words are {}", "absurd ability about affair adult " + "abandon acid acquire addict add actual actor"),
        ("le mot de passe du wifi est « {} » maintenant", "loutre " + "bleue"),
    ],
)
def test_a_secret_of_plain_words_or_groups_is_found_where_the_sentence_says_that_it_is_one(
    text: str, secret: str
) -> None:
    told = text.format(secret)
    assert [told[found.start : found.end].strip(" «»„“") for found in find_secrets(told)] == [secret]


@pytest.mark.parametrize(
    "text",
    """the password is required|The password is wrong.|password is optional|The default password is hidden
    |The password is stored in the vault|the passphrase is asked every time|the passphrase is kept with the backups
    |PASSWORD='enter your password here'|Backup codes are printed once|The recovery code is valid for 10 minutes
    |the password is "required", says the form|The password is 'your-password' in the sample|the password is 'not set'
    |the password is "<FILL_ME_IN>" in the template|The safe code is 4 digits|alarm code 4012 means low battery
    |the building code requires 2 exits|gate code: ask Marta|postal code is 560001|the entry code is 5821 digits long
    |the error code is 4012345|backup code: see scripts/backup.py|The password was changed""".split("|"),
)
def test_what_is_only_said_of_passwords_and_codes_is_no_secret(text: str) -> None:
    assert find_secrets(text.strip()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The API key is stored in 1Password.",
        "use the OPENAI_API_KEY env var",
        "password must be at least 12 characters",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 has the fix",
        "tenant 6fa459ea-ee8a-3ca4-894e-db77e160355e",
        "python@sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        "max_tokens=2048",
        "token budget: 4096",
        "The keyboard layout is QWERTZ2.",
        "primary_key=order_id",
        "the secret is base64-encoded",
        "postgres://postgres:postgres@localhost/app",
    ],
)
def test_ordinary_statements_hold_no_secret(text: str) -> None:
    assert find_secrets(text) == ()


AWKWARD = st.one_of(
    st.text(max_size=300),
    st.text(alphabet=st.characters(codec=None, categories=None), max_size=100),
    st.lists(
        st.sampled_from(
            [
                "password",
                "=",
                ":",
                '"',
                "'",
                " ",
                "\n",
                "\\",
                "token",
                "key",
                VALUE,
                CHOSEN,
                "://",
                "@",
                "${",
                "}",
                "\x00",
                "\ud800",
                "İ",
                "[redacted: x]",
                "-u ",
                "curl",
                "&quot;",
                "%3D",
                "is",
                "[",
                "(",
            ]
        ),
        max_size=14,
    ).map("".join),
)


@given(AWKWARD)
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_search_and_redaction_leaves_nothing_to_find(text: str) -> None:
    found = find_secrets(text)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in found)
    scrubbed = scrub(text, find_secrets)
    assert find_secrets(scrubbed) == ()
    assert redact(scrubbed, find_secrets(scrubbed)) == scrubbed


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "0123456789abcdef",
        "password=",
        " ",
        "https://a:",
        "eyJ",
        "aB3$",
        "-----BEGIN " + "PRIVATE KEY-----",
        '"key" : "',
    ],
)
def test_the_time_to_search_grows_with_the_length_and_no_faster(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        started = time.process_time()
        find_secrets(text)
        return time.process_time() - started

    short, long = seconds(20_000), seconds(160_000)
    # Eight times the text; quadratic time would take sixty-four times as long.
    assert long < 24 * short + 0.2

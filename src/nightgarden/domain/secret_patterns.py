"""Keys and tokens that are known by their own shape: a prefix, a length, an alphabet. One row for each kind.

Knows the published shapes of many providers. Does not know keys without a mark of their own (a bare run of
hexadecimal digits, for example); those are found by the name they are assigned to, in `secret_assignments`.

Every pattern starts at a literal or at a boundary and repeats within bounds, so that a search takes linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.domain.secret_value import is_hollow, wordlike


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A kind of key. It is looked for only where one of its marks, in lower case, is in the text."""

    what: str
    marks: tuple[str, ...]
    shape: re.Pattern[str]
    before_words: bool = False  # its mark is a word, so that others may follow it without a space: ASIAPACIFIC
    may_be_hollow: bool = False  # a body of one repeated letter is valid in this alphabet, so it is not a stand-in

    def accepts(self, found: str) -> bool:
        body = found[max(len(mark) for mark in self.marks) if self.marks else 0 :]
        if self.before_words and body.isalpha() and wordlike(body):
            return False
        return self.may_be_hollow or not is_hollow(body, sequential_max=1.0)  # `sk-ant-abcdef123456` may be a try-out


_A, _W = r"[A-Za-z0-9]", r"[A-Za-z0-9_-]"


def _row(
    what: str,
    marks: str,
    shape: str,
    *,
    before_words: bool = False,
    may_be_hollow: bool = False,
    bounded: bool = True,
) -> Pattern:
    expression = rf"(?<![A-Za-z0-9_]){shape}(?![A-Za-z0-9])" if bounded else shape
    return Pattern(
        what=what,
        marks=tuple(marks.lower().split()),
        shape=re.compile(expression),
        before_words=before_words,
        may_be_hollow=may_be_hollow,
    )


_CLOUD = (
    _row("AWS access key", "AKIA", r"AKIA(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}"),
    _row("AWS access key", "ASIA ABIA ACCA A3T AGPA AROA AIPA ANPA ANVA AIDA",
         r"(?:A3T[A-Z0-9]|ASIA|ABIA|ACCA|AGPA|AROA|AIPA|ANPA|ANVA"
         r"|AIDA)(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}", before_words=True),
    _row("AWS MWS key", "amzn.mws.", r"amzn\.mws\.[0-9a-z]{8}-(?:[0-9a-z]{4}-){3}[0-9a-z]{12}"),
    _row("AWS AppSync key", "da2-", r"da2-[a-z0-9]{26}"),
    _row("Amazon Bedrock key", "ABSK", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    _row("Amazon Bedrock key", "bedrock-api-key-",
         r"bedrock-api-key-(?:YmVkcm9jay5hbWF6b25hd3MuY29t|(?!YmVkcm9jay5hbWF6b25hd3M)[A-Za-z0-9+/]{24,2000})={0,2}"),
    _row("Google API key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    _row("Google OAuth secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _row("Google OAuth token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,400}"),
    _row("Google OAuth client", ".apps.googleusercontent.com", r"\d{10,14}-[a-z0-9]{32}\.apps\.googleusercontent\.com"),
    _row("Google refresh token", "1//0", r"1//0[A-Za-z0-9_-]{40,150}"),
    _row("Google service account", "private_key_id", r'"private_key_id"\s{0,4}:\s{0,4}"[0-9a-f]{40}"', bounded=False),
    _row("Firebase messaging key", "AAAA :APA91b", r"AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140}"),
    _row("Azure client secret", "Q~", r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![\w~.-])",
         bounded=False),
    _row("Azure key", "JQQJ99", r"[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9+/]{20,40}={0,2}"),
    _row("Azure storage key", "accountkey= sharedaccesskey= +ASt",
         r"(?i:(?:account|sharedaccess)key)=[A-Za-z0-9+/]{40,90}={0,2}|[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}=="),
    _row("Azure function key", "AzFu", r"[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5,8}={0,2}"),
    _row("Azure search key", "AzSe", r"[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}"),
    _row("Azure shared access signature", "sig=", r"(?i:[?&]sig=)[A-Za-z0-9%+/]{40,90}={0,2}", bounded=False),
    _row("Alibaba access key", "LTAI", r"LTAI[A-Za-z0-9]{12,20}"),
    _row("Tencent secret id", "AKID", r"AKID[A-Za-z0-9]{32}"),
    _row("IBM Cloud key", "ApiKey-", r"ApiKey-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("Yandex Cloud key", "AQVN YCAJ t1. y0_",
         r"(?:AQVN[A-Za-z0-9_-]{35,38}|YCAJE[A-Za-z0-9_-]{20}|YCA[A-Za-z0-9_-]{33,40}"
         r"|t1\.[A-Z0-9a-z_-]{10,200}={0,2}\.[A-Za-z0-9_-]{86}={0,2}|y0_[A-Za-z0-9_-]{50,60})"),
    _row("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _row("Heroku key", "HRKU-", r"HRKU-[A-Za-z0-9_-]{30,70}"),
    _row("Scalingo token", "tk-us-", rf"tk-us-{_W}{{48}}"),
    _row("Scaleway key", "SCW", r"SCW(?=[A-Z]{0,16}[0-9])[A-Z0-9]{17}"),
    _row("Fly.io token", "fo1_ fm1 fm2_ FlyV1",
        r"(?:fo1_[\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,500}={0,3}|fm2_[A-Za-z0-9+/]{100,900}={0,3})"),
    _row("Netlify token", "nfp_ nfc_ nfo_ nfu_ nfb_", r"nf[bcopu]_[A-Za-z0-9_-]{36,40}"),
    _row("Vercel token",
        "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", r"(?:vc[aciprk]_[A-Za-z0-9_-]{24,60}|vercel_blob_rw_\w{20,60})"),
    _row("Render key", "rnd_", r"rnd_[A-Za-z0-9]{28,34}"),
    _row("Cloudflare token", "cfat_ cfut_ cfk_", r"cf(?:at|ut|k)_[A-Za-z0-9_-]{40,60}"),
    _row("Cloudflare origin key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    _row("Akamai credential", "akab-", r"akab-[a-z0-9]{16}-[a-z0-9]{16}"),
    _row("PlanetScale credential", "pscale_", r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9=._-]{30,64}"),
    _row("Supabase credential", "sbp_ sb_secret_",
        r"(?:sbp_(?:v0_|oauth_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{31,40})"),
    _row("Neon key", "napi_", r"napi_[a-z0-9]{40,80}"),
    _row("Snowflake token", "ver:1-hint:", r"ver:1-hint:\d{1,20}-ETMsDgAAA[A-Za-z0-9+/=-]{50,400}"),
    _row("Databricks token", "dapi dose", r"(?:dapi|dose)[a-f0-9]{32}(?:-\d)?"),
    _row("Terraform token", "atlasv1", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    _row("Vault token", "hvs. hvb. hvr.", r"hv[bsr]\.[A-Za-z0-9_-]{24,300}"),
    _row("Vault token", "s.",
        r"s\.(?=[A-Za-z]{0,23}[0-9])(?=[A-Z0-9]{0,23}[a-z])(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![.(])"),
    _row("Pulumi token", "pul-", r"pul-[a-f0-9]{40}"),
    _row("Doppler token", "dp.", r"dp\.(?:ct|pt|st|sa|scim|audit|said)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    _row("Infracost token", "ico-", r"(?<![.\w])ico-[A-Za-z0-9]{32}(?![.\w])", bounded=False),
    _row("Octopus Deploy key", "API-", r"(?<![\w-])API-[A-Z0-9]{26}(?![\w.])", bounded=False),
    _row("OpenShift token", "sha256~", r"sha256~[A-Za-z0-9_-]{43}"),
    _row("Kubernetes bootstrap token", "kubeadm bootstrap", r"[a-z0-9]{6}\.[a-z0-9]{16}"),
    _row("Dynatrace token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _row("Defined Networking key", "dnkey-", r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"),
    _row("Tailscale key", "tskey-", r"tskey-[a-z]{2,10}-[A-Za-z0-9-]{12,80}"),
    _row("NATS seed", "S", r"S[UAONC][A-Z2-7]{56}"),
    _row("Okta token", "okta", r"(?i:okta)[\w .\"':=>-]{0,40}?(?<![A-Za-z0-9])00[A-Za-z0-9_-]{40}"),
    _row("Prefect key", "pnu_ pnb_", r"pn[ub]_[a-zA-Z0-9]{36}"),
    _row("Salesforce credential", "00D 3MVG",
         r"(?:00D(?![0-9a-fA-F]{12,15}\b)[A-Za-z0-9]{12,15}(?:![A-Za-z0-9._]{80,140})?|3MVG[A-Za-z0-9._]{80,120})"),
    _row("New Relic key", "NRAK- NRBR- NRII- NRJS- NRRA- NRIQ- NRSP- NRAL",
         r"(?:NRAK-[A-Z0-9]{27}|NR(?:BR|JS)-[a-f0-9]{19}|NRII-[A-Za-z0-9_-]{25,32}|NR(?:RA|IQ|SP)-[A-Za-z0-9_-]{24,40}"
         r"|[a-z0-9]{36}NRAL)"),
    _row("Grafana token", "glc_ glsa_ eyJrIjoi",
         r"(?:glc_[A-Za-z0-9+/]{32,400}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[A-Za-z0-9_=-]{42,400})"),
    _row("Sentry token", "sntrys_ sntryu_ sntrya_ sntryi_",
         r"(?:sntrys_[A-Za-z0-9+/=_-]{40,400}|sntry[uai]_[a-f0-9]{64})"),
    _row("Datadog key", "ddapi_ ddapp_", r"dd(?:api|app)_[A-Za-z0-9]{30,60}"),
    _row("Honeycomb key", "hcaik_ hcamk_", r"hca[im]k_[a-z0-9]{50,70}"),
    _row("LaunchDarkly key", "sdk- mob- api-", r"(?:sdk|mob|api)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("PostHog key", "phc_ phx_ phs_ phr_ pha_", r"ph[acrsx]_[A-Za-z0-9]{40,64}"),
    _row("Harness token", "pat. sat.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),
)  # fmt: skip

_DEVELOPMENT = (
    _row("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_",
        r"gh[pousr]_(?:[A-Za-z0-9]{36,251}|[0-9]{8}_eyJ[A-Za-z0-9_.-]{40,2000})"),
    _row("GitHub token", "github_pat_", r"github_pat_\w{70,255}"),
    _row("GitHub token", "v1.", r"v1\.[a-f0-9]{40}"),
    _row("GitLab token",
         "glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- glwt-",
         r"gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|soat|ffct|wt)-[A-Za-z0-9_.-]{20,300}"),
    _row("GitLab runner token", "GR1348941", r"GR1348941[\w-]{20}"),
    _row("GitLab session", "_gitlab_session=", r"_gitlab_session=[0-9a-z]{32}", bounded=False),
    _row("Bitbucket token", "BBDC- ATBB ATCTT3",
        r"(?:BBDC-[A-Za-z0-9+/@_-]{40,50}|ATBB[A-Za-z0-9_=.-]{32,36}|ATCTT3[A-Za-z0-9_=-]{50,300})"),
    _row("Atlassian token", "ATATT3 ATSTT3", r"AT[AS]TT3[A-Za-z0-9_=-]{50,300}", bounded=False),
    _row("Jira token", "",
        r"(?<![A-Za-z0-9+])(?:[MNO][A-Za-z][A-Za-z0-9]{2}){4}O[g-v][A-Za-z0-9+/]{26}(?![A-Za-z0-9+])",
         bounded=False),
    _row("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _row("npm registry token", ":_auth",
        r":_auth(?:Token)?\s{0,3}=\s{0,3}[\"']?[A-Za-z0-9+/_.=-]{16,400}", bounded=False),
    _row("PyPI token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,1000}"),
    _row("RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _row("NuGet key", "oy2", r"oy2[a-z0-9]{43}"),
    _row("Clojars token", "CLOJARS_", r"(?i:CLOJARS_)[a-z0-9]{60}"),
    _row("crates.io token", "cio", r"cio[A-Za-z0-9]{32}"),
    _row("Docker token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{27,36}"),
    _row("Docker swarm token", "SWMTKN-1- SWMKEY-1-",
        r"SWM(?:TKN-1-[a-z0-9]{40,60}-[a-z0-9]{20,30}|KEY-1-[A-Za-z0-9+/]{40,50})"),
    _row("JFrog token", "cmVmd AKC", r"(?:cmVmd[A-Za-z0-9]{59}|AKC[a-zA-Z0-9]{10}[A-Za-z0-9]{50,80})"),
    _row("Sonar token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}"),
    _row("Sourcegraph token", "sgp_", r"sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}"),
    _row("Snyk token", "snyk_", r"snyk_(?:uat|sat)\.[a-z0-9]{8}\.[\w.-]{20,300}"),
    _row("Linear key", "lin_api_ lin_oauth_", r"lin_(?:api_[A-Za-z0-9]{40}|oauth_[a-f0-9]{64})"),
    _row("Notion token", "ntn_ secret_", r"(?:ntn_[0-9]{9,11}[A-Za-z0-9]{35,37}|secret_[A-Za-z0-9]{43})"),
    _row("Figma token", "figd_ figu_ figo_ figdr_", r"fig(?:dr?|[uo]|ur|or)h?_[A-Za-z0-9_-]{40,52}"),
    _row("Postman key", "PMAK- PMAT-", r"PM(?:AK-[a-f0-9]{24}-[a-f0-9]{34}|AT-[A-Z0-9]{26})"),
    _row("ReadMe key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _row("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _row("Asana token", "1/ 2/", r"[12]/\d{13,20}(?:/\d{13,20})?:[a-f0-9]{32}"),
    _row("ClickUp token", "pk_", r"pk_\d{5,10}_[A-Z0-9]{32}"),
    _row("1Password account token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{200,2000}={0,3}"),
    _row("1Password secret key", "A3-",
         r"A3-(?=[A-Z0-9-]{0,30}[0-9])[A-Z0-9]{6}-(?:[A-Z0-9]{11}"
         r"|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}"),
    _row("Buildkite token", "bkua_", r"bkua_[a-f0-9]{40}"),
    _row("CircleCI token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _row("ClickHouse key", "4b1d", r"4b1d[A-Za-z0-9]{38}"),
    _row("WunderGraph key", "cosmo_", r"cosmo_[0-9a-f]{32}"),
    _row("Authress key", "sc_ ext_ scauth_ authress_",
         r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.(?:acc_"
         r"|acc-)[A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}"),
    _row("SettleMint token", "sm_", r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}"),
    _row("Intra42 secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    _row("Adobe secret", "p8e-", r"p8e-[A-Za-z0-9]{32}"),
    _row("Contentful token", "CFPAT-", r"CFPAT-[A-Za-z0-9_-]{40,50}"),
    _row("Hashnode, Ghost or Sanity token", "skE", r"sk[A-Z][A-Za-z0-9]{77}[A-Za-z0-9]{60,110}"),
    _row("Frame.io token", "fio-u-", r"fio-u-[A-Za-z0-9_=-]{64}"),
    _row("Typeform token", "tfp_", r"tfp_[A-Za-z0-9_.=-]{40,60}"),
    _row("Beamer token", "b_", r"b_[A-Za-z0-9=_-]{44}"),
    _row("Shippo token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    _row("EasyPost key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _row("Duffel token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    _row("MaxMind key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
)  # fmt: skip

_MODELS = (
    _row("Anthropic key", "sk-ant-", r"sk-ant-(?:api|admin|oat|ort|sid)\d{2}-[A-Za-z0-9_-]{20,200}"),
    _row("OpenAI key", "T3BlbkFJ", r"sk-(?:[a-z]{2,12}-)?[A-Za-z0-9_-]{20,90}T3BlbkFJ[A-Za-z0-9_-]{20,90}"),
    _row("OpenAI key", "sk-proj- sk-svcacct- sk-admin- sk-None-",
        r"sk-(?:proj|svcacct|admin|None)-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,200}"),
    _row("API key", "sk-or-", r"sk-or-v1-[a-f0-9]{64}"),
    _row("API key", "sk-", r"sk-(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{32,64}"),
    _row("Hugging Face token", "hf_", r"hf_(?=[a-z0-9]{0,33}[A-Z])(?=[A-Z0-9]{0,33}[a-z])[A-Za-z0-9]{34,40}"),
    _row("Hugging Face token", "api_org_", r"api_org_[A-Za-z]{34}"),
    _row("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    _row("xAI key", "xai-", r"xai-[A-Za-z0-9_]{70,90}"),
    _row("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,56}"),
    _row("Replicate token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _row("Together key", "tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{43}"),
    _row("Tavily key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9-]{30,60}"),
    _row("LlamaCloud key", "llx-", r"llx-[A-Za-z0-9_-]{48}"),
    _row("Fireworks key", "fw_", r"fw_[A-Za-z0-9]{22,24}"),
    _row("Pinecone key", "pcsk_", r"pcsk_[A-Za-z0-9_]{40,90}"),
    _row("Nvidia key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{60,70}"),
    _row("LangSmith key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _row("Weights & Biases key", "wandb_v1_", r"wandb_v1_[A-Za-z0-9_]{60,100}"),
    _row("Jina key", "jina_", r"jina_[a-f0-9]{32}[A-Za-z0-9_-]{28,32}"),
    _row("Voyage key", "pa-", r"pa-[A-Za-z0-9_-]{43}"),
    _row("ElevenLabs key", "sk_", r"sk_[a-f0-9]{48}"),
    _row("Cursor key", "crsr_ key_", r"(?:crsr|key)_[a-f0-9]{64}"),
    _row("Firecrawl key", "fc-", r"fc-[a-f0-9]{32}"),
)  # fmt: skip

_SERVICES = (
    _row("Slack token", "xox",
        r"xox[abeoprs](?:\.xox[abeoprs])?-(?:\d{1,20}-){1,5}(?=[A-Z]{0,400}[a-z0-9])[A-Za-z0-9]{8,400}(?![-#*_])"),
    _row("Slack token", "xapp-", r"xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[A-Za-z0-9]{32,128}"),
    _row("Slack webhook", "hooks.slack.com",
         r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Z0-9]{6,14}/[A-Z0-9]{6,20}/(?:\d{10,24}/)?[A-Za-z0"
         r"-9]{16,60}"),
    _row("Stripe key", "sk_ pk_ rk_", r"[spr]k_(?:test|live|prod)_[A-Za-z0-9]{10,110}"),
    _row("webhook secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,64}={0,2}"),
    _row("Square token", "sq0 EAAA",
        r"(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}|EAAA(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{60})"),
    _row("PayPal Braintree token", "access_token$",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    _row("Shopify token", "shpat_ shpca_ shppa_ shpss_ shptka_", r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}"),
    _row("Flutterwave key", "FLWSECK FLWPUBK", r"FLW(?:SECK|PUBK)(?:_TEST)?-[a-hA-H0-9]{12,32}(?:-X)?"),
    _row("GoCardless token", "live_", r"live_(?=[A-Za-z_=-]{0,40}[0-9])[A-Za-z0-9_=-]{40}"),
    _row("Lob key", "live_ test_", r"(?:live|test)_(?:pub_)?(?=[a-f]{0,35}[0-9])[a-f0-9]{31,35}"),
    _row("Plaid token", "access-",
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("Coinbase key", "organizations/", r"organizations/[0-9a-f-]{36}/apiKeys/[0-9a-f-]{36}"),
    _row("Twilio key", "SK AC", r"(?:SK|AC)(?:[0-9a-f]{32}|[0-9A-F]{32})"),
    _row("SendGrid key", "SG.", r"SG\.[A-Za-z0-9_-]{16,24}\.[A-Za-z0-9_-]{16,48}"),
    _row("Brevo key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _row("Mailgun key", "key- pubkey-", r"(?:pub)?key-[a-f0-9]{32}"),
    _row("Mailgun key", "-", r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}"),
    _row("Mailchimp key", "-us", r"[A-Za-z0-9]{32}-us\d{1,2}"),
    _row("Resend key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}"),
    _row("HubSpot token", "pat-", r"pat-(?:na|eu|ap)\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("Intercom token", "dG9r", r"dG9r[A-Za-z0-9+/]{50,60}={0,2}"),
    _row("Telegram bot token", ":A", r"\d{5,16}:A[A-Za-z0-9_-]{32,36}"),
    _row("Discord bot token", ".", r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    _row("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{15,22}/[A-Za-z0-9_-]{50,80}"),
    _row("Teams webhook", "webhook.office.com",
        r"webhook\.office\.com/webhookb2/[A-Za-z0-9@-]{36,90}/IncomingWebhook/[a-z0-9]{32}"),
    _row("Zapier or Make hook", "hooks.zapier.com hook.make hook.eu",
         r"(?:hooks\.zapier\.com/hooks/catch/\d{4,10}/\w{5,20}|hook\.(?:[a-z0-9]{2,4}\.)?make\.com/[a-z0-9]{24,40})"),
    _row("Facebook token", "EAA", r"EAA[A-Za-z0-9]{90,300}"),
    _row("Facebook token", "EAACEd", r"EAACE[A-Za-z0-9]{40,300}"),
    _row("Facebook app token", "|", r"\d{13,17}\|[A-Za-z0-9_-]{24,40}"),
    _row("Instagram token", "IGQV IGAA", r"IG(?:QV|AA)[A-Za-z0-9_-]{60,300}"),
    _row("X bearer token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,22}[A-Za-z0-9%]{60,120}", may_be_hollow=True),
    _row("LinkedIn token", "AQV AQX", r"AQ[VX][A-Za-z0-9_-]{100,400}"),
    _row("WeChat app id", "wx", r"wx(?=[a-f]{0,15}[0-9])(?=[0-9]{0,15}[a-f])[0-9a-f]{16}"),
    _row("Dropbox token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,1300}"),
    _row("Dropbox token", "AAAAAAAAAA", r"[A-Za-z0-9]{11}A{9,10}[A-Za-z0-9_-]{43}", may_be_hollow=True),
    _row("Mapbox token", "sk.eyJ pk.eyJ tk.eyJ", r"[spt]k\.eyJ[A-Za-z0-9_-]{50,200}\.[A-Za-z0-9_-]{20,30}"),
    _row("Mapbox token", "pk.", r"pk\.[a-z0-9]{60}\.[a-z0-9]{22}"),
    _row("Sumo Logic access id", "sumo",
         r"(?:SUMO|Sumo|sumo)(?![a-z]{0,3}[A-Z]bj)[\w .\"':=>-]{0,40}?(?<![A-Za-z0-9])su(?=[A-Za-z]{0,11}[0-9])[A-"
         r"Za-z0-9]{12}"),
    _row("Bundler credential", "bundle_",
        r"BUNDLE_[A-Z0-9_]{2,60}__[A-Z]{2,10}[\"' :=]{1,6}[^\s:\"'$<{]{3,80}:[^\s\"'$<{]{3,80}"),
    _row("NTLM message", "TlRMTVNTUA", r"TlRMTVNTUA[A-Za-z0-9+/]{40,2000}={0,2}", may_be_hollow=True),
    _row("Algolia secured key", "validuntil", r"(?i:apikey)[\"'=: ]{1,5}[a-f0-9]{32}"),
    _row("Zendesk, Freshdesk or Freemius key", "sk_", r"sk_[A-Za-z0-9&*!?^.-]{29}(?=[\"'])"),
    _row("Picatic key", "sk_live_", r"sk_live_[0-9a-z]{32}"),
    _row("Trello token", "ATTA", r"ATTA[a-f0-9]{64,80}"),
    _row("Wise or Monzo token", "eyJ", r"eyJ(?:hbGciOi|0eXAiOi)[A-Za-z0-9_-]{80,600}"),
)  # fmt: skip

_STANDARDS = (
    _row("age secret key", "AGE-SECRET-KEY-1",
        r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}", may_be_hollow=True),
    _row("JSON web token", "eyJ",
        r"eyJ[A-Za-z0-9_-]{6,4000}\.(?:eyJ|ey[A-Za-z])[A-Za-z0-9_-]{6,8000}(?:\.[A-Za-z0-9_/+-]{0,2000}={0,2})?",
         may_be_hollow=True),
    _row("JSON web token", "ZXlK", r"ZXlK[A-Za-z0-9+/]{80,4000}={0,2}"),
    _row("private key", "IBAA IBAD AQEE AgEB",
         r"(?:MI[IG][A-Za-z0-9+/]{1,6}IBA[AD]|M[A-Za-z0-9+/]{2}CAQEE)[A-Za-z0-9+/\\\s]{40,8000}={0,2}",
         may_be_hollow=True),
    _row("private key", "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?:BS|BQ|BF|BP|BE)[A-Za-z0-9+/\s]{20,8000}={0,2}", may_be_hollow=True),
    _row("private JSON web key", '"kty"',
         r'"kty"(?=[^}]{0,2000}?"(?:d|k|p|q|dp|dq|qi)"\s{0,8}:\s{0,8}"[A-Za-z0-9_+/=-]{16})|"(?:d|k)"\s{0,8}:\s{0,8}'
         r'"[A-Za-z0-9_+/=-]{16,2000}"(?=[^}]{0,2000}"kty")', may_be_hollow=True, bounded=False),
    _row("Bitcoin private key", "5 K L",
        r"(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL](?=[A-Za-z]{0,50}[1-9])[1-9A-HJ-NP-Za-km-z]{51})"),
    _row("extended private key", "xprv", r"xprv[1-9A-HJ-NP-Za-km-z]{100,112}"),
    _row("Nostr secret key", "nsec1", r"nsec1[a-z0-9]{58}"),
    _row("password hash", "$2a$ $2b$ $2y$ $argon2 $6$ $5$ $1$ $y$ $pbkdf2 pbkdf2_sha256$ $scrypt",
         r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$[A-Za-z0-9$=,+/.-]{40,200}"
         r"|\$[156y]\$[./A-Za-z0-9$=]{28,120}"
         r"|pbkdf2_sha256\$\d{4,8}\$[A-Za-z0-9+/$=]{40,100}", bounded=False),
    _row("PuTTY private key", "private-lines:", r"Private-Lines:\s{0,3}\d{1,4}\s{1,4}[A-Za-z0-9+/=\s]{40,4000}"),
)  # fmt: skip

PATTERNS: tuple[Pattern, ...] = (*_CLOUD, *_DEVELOPMENT, *_MODELS, *_SERVICES, *_STANDARDS)

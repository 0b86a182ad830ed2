/**
 * The formats of secrets in commands, environments and messages.
 *
 * Each pattern runs over up to 64 KB of text that an agent chose: every
 * repetition is bounded or unambiguous, so that no text causes backtracking.
 */
export interface SecretShape {
  /** A substring that every match contains and that is quick to search for. */
  hint: RegExp;
  pattern: RegExp;
  /** The replacement, with `****` for the secret. */
  shown: string;
}

const NAME_HINT = /pass|pwd|secret|token|credential|key|pw/i;

/** Names that mark their value as a secret: DB_PASSWORD, authToken, api-key. */
const SECRET_NAME =
  "(?:pass(?:word|wd|phrase|code)?|_pwd|secret|token|credentials?|(?:api|access|private|secret|signing|encryption|master|account|auth|service|license|session|subscription)[-_]?key|(?:auth|db|root|admin|user|proxy|key|store|basic|http|ftp|smtp|ssh|sudo)[-_]?pw)(?:[-_]?[0-9]{1,4})?";

/** A shell word, with any quotes. A value that is only looked up (`$TOKEN`, `$(pass show x)`) is not a secret. */
const VALUE = `(?!["']?\\$(?!'))(?:\\$?'(?:[^'\\\\]|\\\\[\\s\\S])*(?:'|$)|"(?:[^"\\\\]|\\\\[\\s\\S])*(?:"|$)|[^\\s;&|<>()"'\`,}]+)`;

/** The rest of one command, up to a limit, for patterns that start with a program's name. */
const SAME_COMMAND = "[^|;&\\n]{0,300}?";

/** Prefixes that issuers chose to make their tokens recognisable. */
const TOKEN_PREFIXES = [
  "blt_",
  "gh[pousr]_",
  "github_pat_",
  "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct|oas)-",
  "dckr_(?:pat|oat)_",
  "[srp]k_(?:live|test)_",
  "whsec_",
  "xox[abeoprs](?:\\.xox[bp])?-",
  "xapp-",
  "sk-(?:ant|proj|svcacct|admin|or-v1)-",
  "do[por]_v1_",
  "shp(?:at|ss|ca|pa)_",
  "hv[sbr]\\.",
  "ya29\\.",
  "GOCSPX-",
  "1\\/\\/0",
  "AIza",
  "ATATT3",
  "lin_api_",
  "figd_",
  "PMAK-",
  "NRAK-",
  "glsa_",
  "sq0(?:atp|csp|idp)-",
  "AGE-SECRET-KEY-1",
  "sntrys_",
];

/** Prefixes that ordinary names also have (npm_config_…): only a long run of letters and digits counts. */
const SHORT_PREFIXES = [
  "npm_",
  "pypi-",
  "rubygems_",
  "hf_",
  "gsk_",
  "r8_",
  "xai-",
  "sk-",
  "SG\\.",
  "tskey-(?:auth|api)-",
];

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    // Without an end marker, everything after the beginning is the key.
    hint: /PRIVATE KEY/,
    pattern:
      /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)[\s\S]*?(-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    shown: "$1****$2",
  },
  {
    hint: /[_.-]|AIza|ATATT3|1\/\/0/,
    pattern: new RegExp(`(?<![A-Za-z0-9])(${TOKEN_PREFIXES.join("|")})[A-Za-z0-9_.=-]{16,}`, "g"),
    shown: "$1****",
  },
  {
    hint: /[._-]/,
    pattern: new RegExp(`(?<![A-Za-z0-9])(${SHORT_PREFIXES.join("|")})[A-Za-z0-9]{20,}[\\w.-]*`, "g"),
    shown: "$1****",
  },
  {
    hint: /A(?:KIA|SIA|BIA|CCA)/,
    pattern: /(?<![A-Za-z0-9])(A(?:KIA|SIA|BIA|CCA))[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    shown: "$1****",
  },
  {
    hint: /eyJ/,
    pattern: /(?<![A-Za-z0-9])(eyJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
    shown: "$1****",
  },
  {
    hint: /slack|discord/,
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g,
    shown: "$1****",
  },
  // The password ends at the last @ before the path. Over HTTP, a name alone is usually a token.
  { hint: /:\/\//, pattern: /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@'"]{0,256}:)[^\s/'"]+(?=@)/gi, shown: "$1****" },
  { hint: /:\/\//, pattern: /(https?:\/\/)[^\s/:@'"]+(?=@)/gi, shown: "$1****" },
  {
    hint: /authorization/i,
    pattern:
      /(\b(?:proxy-)?authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:[a-z][a-z0-9-]{0,30}\s{1,8})?)(?!\$|[a-z][a-z0-9-]{0,30}\s{1,8}\$)[^\s"',;]+/gi,
    shown: "$1****",
  },
  { hint: /bearer/i, pattern: /(\bbearer\s{1,8})(?!\$)[\w.~+/=-]{8,}/gi, shown: "$1****" },
  { hint: /cookie/i, pattern: /(\b(?:set-)?cookie["']?:\s{0,8})[^"'\n]+/gi, shown: "$1****" },
  {
    // PASSWORD=x, "password": "x", ?access_token=x, //registry/:_authToken=x
    hint: NAME_HINT,
    pattern: new RegExp(
      `((?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{0,64}?${SECRET_NAME}["']?(?:\\s{0,8}[:=]|:=)\\s{0,8})${VALUE}`,
      "gi",
    ),
    shown: "$1****",
  },
  {
    // --password x, --client-secret=x
    hint: NAME_HINT,
    pattern: new RegExp(`((?<!\\S)--?[a-z0-9-]{0,40}?${SECRET_NAME}(?:=|\\s{1,8}(?!-)))${VALUE}`, "gi"),
    shown: "$1****",
  },
  {
    // set -x DB_PASSWORD x, aws configure set aws_secret_access_key x, setx API_KEY x
    hint: NAME_HINT,
    pattern: new RegExp(
      `(\\bset[xu]?\\s{1,8}(?:-[a-z-]{1,20}\\s{1,8}){0,3}[\\w./:-]{0,64}?${SECRET_NAME}\\s{1,8})${VALUE}`,
      "gi",
    ),
    shown: "$1****",
  },
  // Programs that take a password in an option with an unrelated name.
  {
    hint: /mysql|mariadb/,
    pattern: new RegExp(
      `(\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\s${SAME_COMMAND}(?<=\\s)-p)${VALUE}`,
      "g",
    ),
    shown: "$1****",
  },
  {
    hint: /sshpass|login/,
    pattern: new RegExp(`(\\b(?:sshpass|(?:docker|podman) login)\\s${SAME_COMMAND}(?<=\\s)-p\\s{0,8})${VALUE}`, "g"),
    shown: "$1****",
  },
  {
    hint: /redis-cli/,
    pattern: new RegExp(`(\\bredis-cli\\s${SAME_COMMAND}(?<=\\s)-a\\s{1,8})${VALUE}`, "g"),
    shown: "$1****",
  },
  {
    hint: /curl|wget|http/,
    pattern: new RegExp(
      `(\\b(?:curl|wget|http|https)\\s${SAME_COMMAND}(?<=\\s)(?:-u|-U|--user|--proxy-user|-a|--auth)[\\s=]{0,8}["']?[^\\s:"'$]{0,128}:)(?!\\$)[^\\s"']+`,
      "g",
    ),
    shown: "$1****",
  },
  { hint: /pass:/, pattern: /((?<=\s)-pass(?:in|out)?\s{1,8}["']?pass:)[^\s"']+/g, shown: "$1****" },
];

/** Whether a field or a variable of this name holds a secret. */
export const IS_SECRET_NAME = new RegExp(`(?:^|[a-z0-9_.-])${SECRET_NAME}$|^${SECRET_NAME}$`, "i");
/** Whether the next argument is a secret. */
export const IS_SECRET_FLAG = new RegExp(`^--?[a-z0-9-]{0,40}?${SECRET_NAME}$`, "i");

import { isSecretPath } from "../../../dangers/paths/secret-paths.ts";
import { type LookLanguage, STRING, separate } from "../code-text.ts";
import { type Flow, flowsOf } from "./trace-flow.ts";

/** Strings that determine what a call does. Of all other strings, only the kind is kept. */
const TELLING =
  /^(?:base64|hex|rot[_-]?13|(?:node:)?(?:child_process|vm|net|https?)|subprocess|os|socket|LWP::Simple|H\*|u)$/;
const SECRET_MARK = "§";
const ADDRESS_MARK = "http:";

const LOCAL_HOST = /^(?:localhost|127(?:\.\d+){1,3}|::1|0\.0\.0\.0)$/i;
const LOCAL_URL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?:[:/]|$)/i;
const ADDRESS = /^(?:https?|ftp):\/\//i;

/**
 * Functions that run their argument as code of their own language. A method of the same name does not: `model.eval()`,
 * `re.compile(x)`.
 */
const EVALUATES =
  /(?<!->\s{0,3})(?<![.\w$:])(?:exec|eval|compile|execfile|loadstring|load|assert|create_function)\b(?!\s*[{=:])|\bbuiltins\s*\.\s*(?:exec|eval)\b|\.(?:instance|class|module)_eval\b|\bnew\s+Function\b|(?<![.\w$])Function\s*\(|\bvm\b["')\s]*\.\s*(?:run\w+|Script|compileFunction)\b/g;

const FETCHES =
  /\burlopen\b|\burlretrieve\b|\burllib\b|\brequests\b|\bhttpx\b|\baiohttp\b|\bLWP\b|\bHTTP::Tiny\b|\bopen-uri\b|\bURI\.open\b|\bNet::HTTP\b|\bcurl_exec\b|\baxios\b|\bhttps?["')\s]*\.\s*(?:get|request)\b|\b(?:get|open|read\w*|load\w*|fetch\w*|download\w*|file|file_get_contents|fopen|url)\s*\(?\s*"http:/;
/** `fetch` is the usual way in JavaScript; in other languages it is an ordinary name. */
const FETCHES_IN_JAVASCRIPT = new RegExp(String.raw`${FETCHES.source}|(?<![.\w$])fetch\s*\(`);
const DECODES =
  /\bb64decode\b|\ba2b_\w+|\bdecodebytes\b|\bbase64_decode\b|\bdecode_base64\b|,\s*"(?:base64|hex|rot[_-]?13)"|\bunhexlify\b|\bfromhex\b|\bstr_rot13\b|\bhex2bin\b|\bunpack\b|\.pack\b|(?<![.\w])pack\b|\batob\b|\b(?:gz)?(?:decompress|inflate|uncompress)\w*|\bfromCharCode\b|\bfromCodePoint\b|\bmarshal\b|\burlsafe_decode64\b|\b(?:strict_)?decode64\b/;
const CONNECTS =
  /\bsocket\s*(?:["')\s]*\.\s*(?:socket|tcp|create_connection)\b|\()|\bTCPSocket\b|\bfsockopen\b|\bnet\b["')\s]*\.\s*(?:connect|Socket|createConnection)\b|\bIO::Socket\b/;
const SENDS =
  /\b(?:post|put|patch|urlopen|request|sendall|sendto|send|sendmail|send_message|storbinary|upload\w*|curl_setopt\w*|write|end)\s*\(|(?<![.\w$])fetch\s*\(|\baxios\b|\b(?:requests|httpx)\s*\.\s*\w+\s*\(|\bhttps?["')\s]*\.\s*(?:get|request)\s*\(|\b(?:get|file_get_contents|open)\s*\(\s*"http:|\bRequest\s*\(|\bNet::HTTP\s*\.\s*\w+/g;
const REACHES_NETWORK =
  /\burlopen\b|\burllib\b|\brequests\b|\bhttp\w*\b|\baiohttp\b|\baxios\b|(?<![.\w$])fetch\s*\(|\bsocket\b|\bsmtplib\b|\bftplib\b|\bparamiko\b|\bLWP\b|\bNet::HTTP\b|\bcurl_\w+|\bnet\b|"http:/i;
const WHOLE_ENVIRONMENT =
  /\bos\s*\.\s*environ\b(?!\s*(?:\.\s*(?:get|setdefault|pop)\b|\[))|\bprocess\s*\.\s*env\b(?!\s*[.[])|%ENV\b|\bENV\s*\.\s*(?:to_h|to_hash|inspect|map|each)\b|\$_(?:ENV|SERVER)\b(?!\s*\[)|\bgetenv\s*\(\s*\)/;

/** An interactive shell, not one that runs a script. */
const BARE_SHELL =
  /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|a)?sh(?:\s+(?:-\w+|[\d<>&%]+d?))*$|^(?:cmd|powershell|pwsh)(?:\.exe)?$/;

/** The dangers that the flow of values proves. Each is a hard block. */
export function dangersByFlow(written: string, look: LookLanguage, home: string): string[] {
  const parts = separate(look, written);
  const bare = parts?.bare ?? written;
  const strings = parts?.strings ?? [];
  const code = parts === null ? written : markStrings(bare, strings, home);
  const dangers: string[] = [];
  const runs = runnersIn(code);
  const trace = flowsOf(code);
  const isRun = (source: RegExp) => {
    if (!EVALUATES_ONCE.test(code) && !new RegExp(runs.source).test(code)) return false;
    const flow = trace(source);
    return flow.reaches(EVALUATES) || flow.reaches(runs);
  };
  const addresses = strings.filter((text) => ADDRESS.test(text));
  const isLocal = addresses.length > 0 && addresses.every((url) => LOCAL_URL.test(url));
  if (!isLocal && isRun(look === "javascript" ? FETCHES_IN_JAVASCRIPT : FETCHES)) dangers.push("remote-code");
  if (isRun(DECODES)) dangers.push("encoded-payload");
  if (opensShell(code, strings, runs, trace)) dangers.push("reverse-shell");
  if (!isLocal && REACHES_NETWORK.test(code)) {
    const secrets = new RegExp(`${SECRET_MARK}|${WHOLE_ENVIRONMENT.source}`);
    if (trace(secrets).reaches(SENDS)) dangers.push("exfiltration");
  }
  return dangers;
}

const EVALUATES_ONCE = new RegExp(EVALUATES.source);

/** The code with each string replaced by a short mark. */
function markStrings(bare: string, strings: readonly string[], home: string): string {
  let index = 0;
  const marked = bare.replaceAll(STRING, () => `"${markOf(strings[index++] ?? "", home)}"`);
  // Backticks that are not strings run a command.
  return marked.replace(/`([^`\n]*)`/g, (_whole, command) => `\`${isSecretText(command, home) ? SECRET_MARK : ""}\``);
}

function markOf(text: string, home: string): string {
  if (TELLING.test(text)) return text;
  if (ADDRESS.test(text)) return ADDRESS_MARK;
  return isSecretText(text, home) ? SECRET_MARK : "";
}

/** Whether a text is the path of a secret, or a command that prints one: `cat .env`. */
export function isSecretText(text: string, home: string): boolean {
  const words = /^(?:cat|head|tail|base64|xxd|strings|less|more|tac|nl|gzip|openssl)\s/.test(text)
    ? text.split(/\s+/).slice(1)
    : [text];
  return words.some((word) => {
    if (word === "" || word.length > 300 || /\s/.test(word)) return false;
    const path = word.startsWith("~") ? home + word.slice(1) : word;
    return isSecretPath(path.startsWith("/") ? path : `${home}/${path.replace(/^\.\//, "")}`, home);
  });
}

const RUNNER_NAMES = String.raw`(?:system|popen\w*|run|call|check_output|check_call|Popen|getoutput|exec\w*|spawn\w*|capture\w*|posix_spawn\w*)`;

/** Matches the calls that start programs, including names that this code gives them. */
function runnersIn(code: string): RegExp {
  const modules = ["os", "subprocess", "IO", "Process", "Kernel", "Open3", "child_process", "commands"];
  for (const [, ...names] of code.matchAll(
    /\bimport\s+(?:subprocess|os)\s+as\s+(\w+)|\b(\w+)\s*=\s*(?:await\s+)?(?:require|import|__import__)\s*\(\s*"(?:node:)?(?:child_process|subprocess|os)"|\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s*"(?:node:)?child_process"/g,
  ))
    modules.push(...names.filter((name) => name !== undefined));
  const parts = [
    String.raw`(?<![.\w])(?:${modules.join("|")})\s*\.\s*${RUNNER_NAMES}\b`,
    String.raw`"(?:node:)?(?:child_process|subprocess|os)"\s*\)\s*\.\s*${RUNNER_NAMES}\b`,
    String.raw`(?<![.\w$])(?:system|popen\d?|exec(?:Sync|File\w*|[lv]p?e?)?|spawn\w*|shell_exec|passthru|proc_open|pcntl_exec|check_output|check_call|Popen|getoutput|qx)\b(?!\s*[=:,}])`,
  ];
  if (/\bsubprocess\s+import\b/.test(code)) parts.push(String.raw`(?<![.\w$])(?:run|call)\s*\(`);
  return new RegExp(parts.join("|"), "g");
}

/** Whether a connection becomes the input of a shell, or its data is run. */
function opensShell(code: string, strings: readonly string[], runs: RegExp, trace: (source: RegExp) => Flow): boolean {
  if (/\bdup2\b|\bpty\s*\.\s*spawn\b/.test(code) && /\bsocket\b/i.test(code)) return true;
  if (!CONNECTS.test(code)) return false;
  const isElsewhere = !strings.some((text) => LOCAL_HOST.test(text));
  const connects =
    /\bconnect\b|\bTCPSocket\b|\bfsockopen\b|\bcreateConnection\b|\bcreate_connection\b|\bIO::Socket\b|\bnew\s+Socket\b|(?<![.\w])socket\s*\(/;
  if (isElsewhere && connects.test(code) && strings.some((text) => BARE_SHELL.test(text))) return true;
  const received = new RegExp(
    String.raw`(?:${[...socketNames(code), "(?!)"].join("|")})\s*(?:\.|->)\s*(?:recv\w*|gets|readline\w*|read\w*|makefile|fileno|on)\b`,
  );
  return trace(received).reaches(runs);
}

/** The names of variables that hold a connection. */
function socketNames(code: string): string[] {
  const form = new RegExp(String.raw`\b(\w+)\s*=[^=\n;]{0,80}?(?:${CONNECTS.source})`, "g");
  return [...code.matchAll(form)].map((match) => String.raw`\b${match[1] ?? ""}`).slice(0, 20);
}

import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import { isSecretName } from "../../language/state/secret-names.ts";
import { STAR } from "../../language/state/values.ts";
import {
  type CodeParts,
  type LookLanguage,
  localRequests,
  looksLikePath,
  STRING,
  separate,
  stringAt,
  wholeStrings,
  withoutQueries,
} from "./code-text.ts";
import { emptiesFiles } from "./emptied-files.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { RUNS_TAG } from "./inline-code.ts";
import { WORDS } from "./language-words.ts";
import { javascriptModules, libraryUse } from "./library-calls.ts";
import { CHILD_PROCESS, startedByNode } from "./node-commands.ts";
import { lookAtPython } from "./python/python-look.ts";

export type { LookLanguage } from "./code-text.ts";

/** The result of a bounded analysis of inline code. */
export type CodeLook =
  /** It computes and prints. It may read these paths, start these commands and load code from these folders. */
  | {
      readonly does: "reads";
      readonly paths: readonly string[];
      readonly commands: readonly string[];
      readonly loads: readonly string[];
    }
  /** It also writes, but only to these paths or to others derived from them. */
  | {
      readonly does: "edits";
      readonly paths: readonly string[];
      readonly commands: readonly string[];
      readonly loads: readonly string[];
    }
  /** It runs, connects, deletes or hides something, or its effect is unknown. Grave if it deletes, sends or prints the environment. */
  | { readonly does: "unclear"; readonly isGrave: boolean };

/** Longer code cannot be reviewed at a glance. */
const MAX_LOOKED_AT = 16_384;

/** Deletes, sends, or prints the whole environment. */
const GRAVE =
  /\b(?:remove_\w+|File::Path|(?:un)?publish\w*|deploy\w*|destroy|purge|terminate_\w+|send_?mail|unlink\w*|rmtree|rmdir\w*|removedirs|remove(?:Sync)?|flush(?:all|db)|O_TRUNC|environb|rm_rf?|rm_r|rmSync|rimraf|delete\w*|FileUtils|emptyDir\w*|f?truncate\w*|environ|getenv|get_env|phpinfo|[A-Z_]*(?:SECRET_KEY|API_KEY|ACCESS_KEY|TOKEN|PASSWORD)|ENV|_ENV|_SERVER|process\s*\.\s*(?:env|report)|GLOBALS|ProcessInfo|urlopen|requests|httpx|aiohttp|fetch|axios|socket|LWP|Net|URI|curl(?:_\w+)?|wget|Deno\s*\.\s*(?:Command|run)|Bun\s*\.\s*spawn\w*|smtplib|sendmail|boto3|https?|drop|dropDatabase|deleteMany|kill\w*|ssh|id_rsa|id_ed25519|netrc|credentials|npmrc|pypirc|shadow|keyring)\b|\.(?:env|aws|kube)\b|%ENV|\brm\s*\(|:rm\w*\b/i;
/** `"rm" + "Sync"` is one name. */
const JOINS = /["']\s*[+.]\s*["']/g;

/**
 * 1. Set strings and comments aside: their contents are not run by themselves.
 * 2. Any name that could run, connect, delete or hide makes the code unclear, and so does any module of that kind.
 * 3. Paths in strings are what the code reads or, if it writes, what it writes. Literal commands and local requests
 *    are judged as commands.
 */
export function lookAtCode(language: LookLanguage, written: string): CodeLook {
  // A JSON module only contains data.
  const code =
    language === "javascript"
      ? written.replace(JSON_MODULE, "JSON.parse($1)")
      : language === "perl"
        ? withoutSubstitutions(written)
        : written;
  const isGrave = GRAVE.test(code) || GRAVE.test(code.replace(JOINS, ""));
  if (code.length > MAX_LOOKED_AT || code.includes("\uE000")) return { does: "unclear", isGrave };
  const separated = separate(language, code);
  if (separated === null) return { does: "unclear", isGrave };
  const library = libraryUse(language, code, separated);
  const namesSecret = separated.strings.some(namesSecretOfHome);
  // A call by a name that is put together: `f["rm" + "Sync"](x)`.
  const isHidden = /\]\s*\(\s*""/.test(separated.bare);
  const empties = emptiesFiles(language, separated);
  const unclear = {
    does: "unclear",
    isGrave: isGrave || library === "grave" || isHidden || namesSecret || empties,
  } as const;
  if (empties || library !== null) return unclear;
  const parts = withoutQueries(separated);
  if (language === "javascript" && readsSecretSetting(code, parts.bare)) return { does: "unclear", isGrave: true };
  const seen = language === "python" ? lookAtPython(code, parts) : lookByWords(language, code, parts);
  const hidden = seen === null ? null : hiddenPaths(parts);
  // The code opens a file whose name it hides.
  if (hidden === null && seen !== null) return { does: "unclear", isGrave: true };
  return seen === null || hidden === null ? unclear : { ...seen, paths: [...seen.paths, ...hidden] };
}

/** `homedir() + "/.docker/config.json"`: code that is not understood, with the rest of the path of a secret. */
function namesSecretOfHome(text: string): boolean {
  const rest = /^(?:~|\$HOME)?\/?(\.[\w./-]+)$/.exec(text)?.[1];
  return rest !== undefined && isSecretPath(`/home/x/${rest}`, "/home/x");
}

/**
 * Removes Perl statements that replace text, such as `s/<b>/"/g`, from the beginning of the code: further on, one could
 * be part of a string. They must not evaluate their replacement, nor contain a variable but those of the match, because
 * a subscript is code.
 */
function withoutSubstitutions(code: string): string {
  let rest = code;
  for (let match = SUBSTITUTION.exec(rest); match !== null; match = SUBSTITUTION.exec(rest))
    rest = rest.slice(match[0].length);
  return rest;
}

const SUBSTITUTION =
  /^\s*s([/|#,!])(?:\\.|(?!\1|\(\?\??\{|[\\@])[^$]|\$(?=[)|]|\1))*\1(?:\\.|(?!\1|[\\@])[^$]|\$(?=\d(?![[{\w])|&(?![[{])))*\1[gimsxr]*\s*(?:;|$)/;

const JSON_MODULE = /\brequire\s*\(\s*("[^"\\]*\.json"|'[^'\\]*\.json')\s*\)/g;

function lookByWords(
  language: Exclude<LookLanguage, "python">,
  code: string,
  parts: CodeParts,
): Exclude<CodeLook, { does: "unclear" }> | null {
  const { strings } = parts;
  const words = WORDS[language];
  const commands: string[] = [];
  let { bare } = parts;
  if (language === "julia") bare = withoutPackageChecks(bare);
  const include = INCLUDES[language];
  if (include !== undefined) {
    const files = includedFiles(parts, include.call);
    if (files === null) return null;
    commands.push(...files.map((file) => `${include.program} ${file}`));
    bare = bare.replace(include.call, "");
  }
  if (language === "perl") bare = withoutPatterns(bare);
  const listed = language === "ruby" ? listedFiles(parts) : null;
  if (listed !== null) bare = bare.replace(LISTS_FILES, "[]");
  if (language === "javascript") bare = bare.replace(/\b(?:Bun|Deno)\s*\.\s*version\b/g, "").replace(BUN_READS, "");
  if (language === "lua" && opensToRead(parts)) bare = bare.replace(LUA_READS, "");
  if (language === "javascript") {
    const started = startedByNode(parts);
    if (started !== null) {
      commands.push(...started.commands);
      bare = started.bare;
    }
  }
  if (words.forbidden.test(bare) || (language === "javascript" && RUNS_TAG.test(bare))) return null;
  if (language === "ruby" && !requiresByName(bare)) return null;
  const required = language === "ruby" ? [...code.matchAll(REQUIRE_RELATIVE)].map(([, name = ""]) => `./${name}`) : [];
  const imported = language === "ruby" ? code.replace(REQUIRE_RELATIVE, "") : code;
  for (const match of imported.matchAll(words.imports)) {
    const name = match[2] ?? match[1] ?? "";
    if (words.modules.test(name) && !(commands.length > 0 && CHILD_PROCESS.test(name))) return null;
    if (words.network?.test(name) === true) {
      const requests = localRequests(wholeStrings(parts), bare);
      // An address may also be assembled from parts.
      if (requests === null || /\b(?:host|hostname|baseURL)\b/.test(bare)) return null;
      commands.push(...requests);
    }
  }
  // An escape can spell any character.
  if (strings.some((text) => /\\(?:x|u|U|N\{|[0-7])/.test(text))) return null;
  if (language === "javascript") {
    if (!hasPlainImports(code) || !hasPlainEnvironment(code, bare)) return null;
    if (/\b(?:fetch|WebSocket|EventSource)\b/.test(bare)) {
      const requests = localRequests(wholeStrings(parts), bare);
      if (requests === null) return null;
      commands.push(...requests);
    }
  }
  const whole = wholeStrings(parts);
  if (callsByName(language, bare, whole, words.forbidden) || fetchesByName(language, whole)) return null;
  const isWriting = words.writes?.test(code) ?? false;
  const imports = [...imported.matchAll(words.imports)].map((match) => match[2] ?? match[1] ?? "");
  const loads = language === "javascript" || language === "ruby" ? imports : [];
  return {
    does: isWriting ? "edits" : "reads",
    paths: [...whole.filter(looksLikePath), ...(listed ?? [])],
    commands,
    loads: [...loads.filter((name) => /^(?:\/|~|\.\.)/.test(name)), ...required],
  };
}

/** PHP functions that call another function by its name: `array_map("unlink", …)`. */
const CALLS_BACK =
  /\b(?:array_(?:map|walk\w*|filter|reduce|u\w+)|u[ka]?sort|iterator_apply|ob_start|is_callable|forward_static\w*|register_\w+|spl_autoload_register)\s*\(/;
/** JavaScript functions that are called by a name in a string: `const f = fs["rm" + "Sync"]`. */
const CALLED_BY_NAME =
  /^(?:exec(?:Sync|File\w*)?|spawn\w*|fork|unlink\w*|rmSync|rmdir\w*|rename\w*|writeFile\w*|appendFile\w*|copyFile\w*|constructor|eval)$/;

function callsByName(language: LookLanguage, bare: string, strings: readonly string[], forbidden: RegExp): boolean {
  if (language === "php") return CALLS_BACK.test(bare) && strings.some((text) => forbidden.test(text));
  return language === "javascript" && /\[[^\]]*""/.test(bare) && strings.some((text) => CALLED_BY_NAME.test(text));
}

/** In these languages, functions that read a file also fetch an address. */
function fetchesByName(language: LookLanguage, strings: readonly string[]): boolean {
  if (language !== "php" && language !== "r" && language !== "julia") return false;
  return strings.some(
    (text) => /^[a-z][\w+.-]*:\/\//i.test(text) && !/^(?:php:\/\/(?:stdin|memory)|file:\/\/)/.test(text),
  );
}

/** Whether the name in every `require` and `import` call is a literal. */
function hasPlainImports(code: string): boolean {
  return !/\b(?:require|import)\s*\(\s*(?!["'`][^"'`$]*["'`]\s*\))/.test(code);
}

/** Whether it reads only single environment variables by name, none of them a secret: `process.env.NODE_ENV`. */
function hasPlainEnvironment(code: string, bare: string): boolean {
  const all = [...bare.matchAll(/\bprocess\s*\.\s*env\b/g)].length;
  const plain = [...code.matchAll(/\bprocess\.env\.([A-Za-z_]\w*)/g)];
  return plain.length >= all && plain.every(([, name = ""]) => !isSecretName(name));
}

/** `require("./config").apiKey`: a setting of the project whose name says that it is a secret. */
function readsSecretSetting(code: string, bare: string): boolean {
  const modules = javascriptModules(code);
  const own = modules.filter((name) => /^[./~]/.test(name));
  if (own.length === 0) return false;
  const isSettings = own.some((name) =>
    /(?:^|[/._-])(?:config\w*|settings?|env|secrets?|credentials?)(?:[/._-]|$)/i.test(name),
  );
  return [...bare.matchAll(/[.{,]\s*(\w{1,60})\b(?!\s*[(\w])/g)].some(
    ([, name = ""]) => SECRET_SETTING.test(name) || (isSettings && /tokens?$/i.test(name)),
  );
}

const SECRET_SETTING =
  /^(?:\w*_)?(?:SECRETS?|SECRET_KEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|PASSWORD|CREDENTIALS?)$|^(?:\w*[a-z])?(?:[sS]ecrets?|[sS]ecretKey|[aA]piKey|[aA]ccessKey|[pP]rivateKey|[pP]assword|[cC]redentials?)$/;

/**
 * Removes Perl patterns such as `if (/<h2>/)`, which contain no file handle and no call. Patterns that run code stay.
 */
function withoutPatterns(bare: string): string {
  return bare.replace(
    /(?<=(?:[(~!&|;{]|\b(?:if|unless|and|or|while))\s{0,5})m?\/(?:\\.|[^/\\\n])*\/[gimsx]*/g,
    (pattern) => (/\(\?\??\{|[@$]\{/.test(pattern) ? pattern : "//"),
  );
}

/** The content of a file with a literal name, which is among the paths of the code. */
const BUN_READS = /\bBun\s*\.\s*file\s*\(\s*""\s*\)\s*\.\s*(?:json|text|exists|size|type)\b/g;
const LUA_READS = /\bio\s*\.\s*(?:lines\s*\(\s*""\s*\)|open\s*\(\s*""\s*(?:,\s*""\s*)?\)|write\b|read\b)/g;
const LUA_MODES = /\bio\s*\.\s*open\s*\(\s*""\s*,\s*(?="")/g;

/** Whether every mode with which it opens files is one for reading. */
function opensToRead(parts: CodeParts): boolean {
  return [...parts.bare.matchAll(LUA_MODES)].every((match) =>
    /^rb?$/.test(stringAt(parts, match.index + match[0].length)),
  );
}

/** Whether the name in every `require` of Ruby is a literal, and the whole of it. */
function requiresByName(bare: string): boolean {
  return !/\brequire(?:_relative)?\b(?!\s*(?:\(\s*""\s*\)|"")\s*(?:[;\n]|$))/.test(bare);
}

/** A file of the same project, by a literal name. */
const REQUIRE_RELATIVE = /\brequire_relative\s*\(?\s*["']([\w./-]+)["']\)?/g;

/** `Dir["spec/*.rb"]`: the names of files. Like a wildcard of a shell it finds no hidden ones unless it says so. */
const LISTS_FILES = /(?<![.\w:])Dir\s*(?:\[\s*""\s*\]|\.\s*glob\s*\(\s*""\s*\))/g;

/** The patterns of such lists, which the code may read. Null if one of them names hidden files or is put together. */
function listedFiles(parts: CodeParts): string[] | null {
  const patterns = [...parts.bare.matchAll(LISTS_FILES)].map((match) =>
    stringAt(parts, match.index + match[0].indexOf(STRING)),
  );
  const isPlain = (pattern: string) => /^(?:[\w*?-][\w.*?-]*\/)*[\w*?-][\w.*?-]*$/.test(pattern);
  return patterns.length > 0 && patterns.every(isPlain) ? patterns.map((one) => one.replace(/\*+/g, STAR)) : null;
}

/** Calls that run a file: `source("R/model.R")` is `Rscript R/model.R`. */
const INCLUDES: Readonly<Partial<Record<LookLanguage, { readonly call: RegExp; readonly program: string }>>> = {
  julia: { call: /(?<![.\w@])include\s*\(\s*""\s*\)/g, program: "julia" },
  php: { call: /(?<![.\w$>:])(?:require|include)(?:_once)?\s*\(?\s*""\s*\)?(?=\s*(?:;|$))/g, program: "php" },
  r: { call: /(?<![.\w$@:])(?:source|parse)\s*\(\s*(?:file\s*=\s*)?""\s*\)/g, program: "Rscript" },
};

/** More files than this are not looked at one by one. */
const MAX_INCLUDED = 20;

/** The files that it runs, as words of a command line. Null if there are too many. */
function includedFiles(parts: CodeParts, call: RegExp): string[] | null {
  const calls = [...parts.bare.matchAll(call)];
  if (calls.length > MAX_INCLUDED) return null;
  const names = calls.map((match) => stringAt(parts, match.index + match[0].indexOf(STRING)));
  return names.map((name) => (name.startsWith("-") ? `./${name}` : name).replace(/[^\w./~-]/g, "\\$&"));
}

/** Removes calls of Julia's package manager that only use the project's own packages. */
function withoutPackageChecks(bare: string): string {
  return bare
    .replace(/\b(?:using|import)\s+Pkg\b/g, "")
    .replace(/\bPkg\.(?:test|status|instantiate|precompile|resolve|activate)\(\s*(?:""|\.)?\s*(?:;[^()]*)?\)/g, "");
}

import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import { ANY_ONE, STAR } from "../../language/state/values.ts";
import type { CodeParts } from "./code-text.ts";
import { traceFlow } from "./flow/trace-flow.ts";

/** Calls that read the file given to them. */
const OPENS =
  /\b(?:open|Path|readFile\w*|createReadStream|read_\w+|loadtxt|genfromtxt|file_get_contents|readfile|fopen|readLines)\s*\(|\b(?:File|IO)\s*\.\s*(?:read\w*|open|foreach|new|binread)\b/g;
const OPENS_COMPUTED = new RegExp(
  String.raw`(?:${OPENS.source})\s*\(?\s*(?!"")[^\s)]|(?:${OPENS.source})\s*\(?\s*""\s*[^\s,)]`,
);
/** Calls whose result is text that does not appear in the code. */
const DISGUISES =
  /\bb64decode\b|\batob\b|\bBuffer\s*\.\s*from\b|\bfromhex\b|\bunhexlify\b|\bdecode64\b|\bbase64_decode\b|\bunpack\w*\b|\bpack\b|\bchr\b|\bfromCharCode\b|\[\s*::\s*-1\s*\]|\breversed?\b|\bbytes\s*\(\s*\[|\brot_?13\b|\btranslate\b/;
const LISTS = /\b(?:listdir|scandir|walk|iterdir|r?glob|i?glob1?|readdir\w*|entries|children)\b/;
/** Strings that are assembled: `a + b`, `a % b`, `"".join(…)`, an f-string or a template. */
const BUILDS = /""\s*[+%]|[+%/]\s*[frbu]?""|\b(?:join|format|concat|replace|joinpath)\s*\(|\bf""|""\s*\$/;
/** `Path(".")`, `x.split(".")`: here the dot is a folder or a separator, not part of a name. */
const PLAIN_DOT = /\b(?:Path|split|rsplit|walk|listdir|scandir|glob|rglob|chdir|resolve|index|find|count)\s*\(\s*$/;

/** Names of secrets. A string that occurs in none of them cannot be a piece of one. */
const NAMES =
  ".env.local.production.development ~/.ssh/id_rsa id_ed25519 id_ecdsa ~/.aws/credentials ~/.netrc ~/.npmrc ~/.pypirc ~/.kube/config ~/.docker/config.json ~/.git-credentials ~/.pgpass /proc/self/environ /etc/shadow";
const MAX_FRAGMENTS = 12;

/**
 * Secret paths that code may open without spelling them out: `open("." + "env")`, `glob(".e*")`. Null if it opens a
 * file whose name it decodes or reverses.
 */
export function hiddenPaths(parts: CodeParts): string[] | null {
  const { bare, strings } = parts;
  if (DISGUISES.test(bare) && traceFlow(bare, DISGUISES).reaches(OPENS)) return null;
  const found: string[] = [];
  if (LISTS.test(bare)) found.push(...listedNames(parts));
  if (OPENS_COMPUTED.test(bare) && (BUILDS.test(bare) || strings.some((text) => /\$\{|\{\w*\}|%s/.test(text))))
    found.push(...builtNames(parts));
  return found;
}

/** Names that a listing is filtered for: `glob(".e*")`, `f.startswith(".e")`, `f.endsWith("env")`. */
function listedNames({ bare, strings }: CodeParts): string[] {
  const patterns = strings
    .filter((text) => /[*?]/.test(text) && /^[\w.*?/~-]{1,100}$/.test(text))
    .map((text) => text.replaceAll("**", "*").replaceAll("*", STAR).replaceAll("?", ANY_ONE));
  const filters = /\b(startswith|startsWith|start_with\?|endswith|endsWith|end_with\?)\s*\(\s*$/;
  const opens = new RegExp(OPENS.source).test(bare);
  /** `if "env" in f`, `f.includes("env")`: every name with that part. */
  const partAt = (at: number, index: number): string[] => {
    const text = strings[index] ?? "";
    const isPart =
      /^""\s+in\s+\w/.test(bare.slice(at, at + 12)) ||
      /\.\s*(?:includes|include\?|indexOf|match\?|find|search)\s*\(\s*$/.test(bare.slice(Math.max(0, at - 30), at));
    return isPart && opens && PART_OF_SECRET.test(text) ? [`.${text.replace(/^\./, "")}`, text, `${text}${STAR}`] : [];
  };
  const affixes = placesOf(bare).flatMap((at, index) => {
    const filter = filters.exec(bare.slice(Math.max(0, at - 30), at))?.[1];
    const text = strings[index] ?? "";
    if (filter === undefined || !text.includes(".") || !/^[\w.-]{1,40}$/.test(text)) return [];
    return [filter.startsWith("start") ? `${text}${STAR}` : `${STAR}${text}`];
  });
  return [...patterns, ...affixes, ...placesOf(bare).flatMap(partAt)].filter(isSecret);
}

const PART_OF_SECRET = /^\.?(?:env|netrc|npmrc|pem|secrets?|credentials?|id_\w+|tfstate|tfvars)$/i;

/** Every secret that two or three strings of the code spell, joined directly or with a slash. */
function builtNames({ bare, strings }: CodeParts): string[] {
  const places = placesOf(bare);
  const pieces = strings.flatMap((text, index) => {
    const isDot = text === "." && PLAIN_DOT.test(bare.slice(Math.max(0, (places[index] ?? 0) - 20), places[index]));
    return isDot ? [] : text.split(/%[a-z]|\$?\{[^{}]*\}/);
  });
  const parts = [...new Set(pieces)].filter((piece) => piece !== "" && NAMES.includes(piece)).slice(0, MAX_FRAGMENTS);
  const pairs = parts.flatMap((a) => parts.flatMap((b) => [`${a}${b}`, `${a}/${b}`]));
  const triples = pairs.flatMap((pair) => parts.flatMap((c) => [`${pair}${c}`, `${pair}/${c}`]));
  return [...new Set([...pairs, ...triples])].filter(
    (name) => NAMES.includes(name.replace(/^[./]*\//, "")) && isSecret(name),
  );
}

/** The positions of the strings in `bare`. */
function placesOf(bare: string): number[] {
  return [...bare.matchAll(/""/g)].map(({ index }) => index);
}

function isSecret(name: string): boolean {
  const path = name.startsWith("~/") ? name.slice(2) : name;
  return isSecretPath(path.startsWith("/") ? path : `/home/x/${path}`, "/home/x");
}

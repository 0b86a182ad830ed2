import { isSecretPath } from "../../../dangers/paths/secret-paths.ts";
import { stringLiterals } from "../inline-code.ts";

/** Calls that read the file given to them. */
const OPENS =
  /\b(?:open|read_text|read_bytes|Path|readFile|readFileSync|createReadStream|File\.read|IO\.read|file_get_contents|ReadFile|read_to_string|readAllText|ReadAllText)\s*\(\s*(['"][^'"\n]+['"])/g;

/** The whole environment, printed. */
const PRINTS_ENVIRONMENT =
  /\b(?:print|pprint|puts|p|console\.(?:log|dir|table)|print_r|var_dump|dd)\s*\(?\s*(?:dict\s*\(\s*|JSON\.stringify\s*\(\s*|json\.dumps\s*\(\s*dict\s*\(\s*)?(?:os\.environ|process\.env|ENV|\$_ENV|\$_SERVER)\s*(?:\)|\s*$|;|,)/m;

/**
 * The secrets that code of the project reads: any secret path outside the project, and one inside if it is opened by
 * its name. A project may mention its own `.env` for many reasons.
 */
export function secretsReadBy(code: string, home: string): string[] {
  const elsewhere = stringLiterals(code).filter((text) => /^[~/]/.test(text));
  const opened = [...code.matchAll(OPENS)].flatMap((match) => stringLiterals(match[1] ?? ""));
  return [...new Set([...elsewhere, ...opened])].filter((path) => isSecretPath(absolute(path, home), home));
}

export function printsEnvironment(code: string): boolean {
  return PRINTS_ENVIRONMENT.test(code);
}

function absolute(path: string, home: string): string {
  if (path.startsWith("~")) return home + path.slice(1);
  return path.startsWith("/") ? path : `${home}/${path.replace(/^\.\//, "")}`;
}

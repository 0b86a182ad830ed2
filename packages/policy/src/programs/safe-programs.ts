import type { Invocation } from "../language/invocation.ts";
import { resolvePath } from "../language/paths.ts";
import type { Policy } from "../settings/policy.ts";

type Prefixes = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Whether a list of commands covers an invocation: the program, or the program with these first arguments. */
export function isListed(list: Prefixes, invocation: Invocation): boolean {
  const prefixes = list.get(invocation.program);
  if (prefixes === undefined) return false;
  return prefixes.some((prefix) => prefix.every((word, at) => invocation.args[at]?.text === word));
}

const STANDARD_PLACES = /^(\/usr\/local|\/usr|\/opt\/homebrew)?\/s?bin\/[^/]+$/;

/** Known to be safe: listed, and really that program rather than a file of the same name. */
export function isSafe(policy: Policy, invocation: Invocation): boolean {
  if (invocation.path.includes("/")) {
    const resolved = resolvePath(invocation.path, invocation.cwd);
    const isLocalTool = resolved !== null && /\/node_modules\/\.bin\/[^/]+$/.test(resolved);
    if (resolved === null || !(STANDARD_PLACES.test(resolved) || isLocalTool)) return false;
  }
  return isListed(policy.safe, invocation);
}

/** Programs that take `-V`, `-v` or `version` to mean "which version are you". */
const VERSIONED =
  /^(python[\d.]*|pypy3?|node|ruby|perl|javac?|php|lua|rustc|cargo|go|docker|podman|gcc|g\+\+|clang|cmake|g?make|npm|yarn|pnpm|bun|deno|pip3?|psql|mysql|sqlite3|kubectl|terraform|helm|aws|gcloud|az|gh|ssh|openssl|nginx|redis-(server|cli)|tmux|curl|wget|jq|git|bash|zsh|dotnet|swift|ghc|elixir|mix|bundle|gem|rails|composer|mvn|gradle)$/;

/** `rm --help`, `python3 -V`: asks a program about itself instead of using it. */
export function isQuery({ program, path, args }: Invocation): boolean {
  const only = args[0]?.text;
  if (args.length !== 1 || only === undefined || (path.includes("/") && !STANDARD_PLACES.test(path))) return false;
  if (only === "--help" || only === "--version") return true;
  return (
    VERSIONED.test(program) &&
    /^(-V|-v|-version|version)$/.test(only) &&
    !(only === "-v" && /^(bash|zsh|ssh|curl|wget|jq|psql|mysql)$/.test(program))
  );
}

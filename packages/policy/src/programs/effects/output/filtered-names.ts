import { type Field, type Stream, stream } from "../../../language/state/values.ts";
import { hasOption, optionValues, parseOptions } from "../../options.ts";

/** Names of files with secrets, as people search for them. */
const SECRET_FILES =
  ".env .env.local .envrc id_rsa id_ed25519 server.pem server.key secrets.yml credentials.json .netrc .pgpass .npmrc terraform.tfstate prod.tfvars".split(
    " ",
  );
/**
 * Words in a pattern that target one of these names. `config` and `json` would match some too, but usually mean
 * something else.
 */
const TELLING = /env|pem|key|secret|cred|rsa|ed25519|netrc|pgpass|npmrc|tfstate|tfvars/;

/**
 * What `grep` leaves of a list of names: a specific pattern leaves exactly what it targets. Null if the pattern is not
 * specific.
 */
export function filteredNames(program: string, args: readonly Field[], { listing, hasHidden }: Stream): Stream | null {
  if (!/^[ef]?grep$/.test(program) || listing === null) return null;
  const parsed = parseOptions(args, { short: "efmABC", long: ["regexp", "max-count"] });
  if (hasOption(parsed, "-v", "--invert-match")) return null;
  const [pattern] = [...optionValues(parsed, "-e", "--regexp"), ...parsed.operands];
  if (pattern === undefined) return null;
  const found = SECRET_FILES.find(
    (name) => (hasHidden || !name.startsWith(".")) && pattern.text.split("|").some((part) => isAfter(part, name)),
  );
  const base = listing.endsWith("/") ? listing : `${listing}/`;
  if (found !== undefined) return stream(`${base}${found}\n`, pattern.taint);
  // The remaining names contain this text, so none of them is a secret.
  return { text: null, taint: pattern.taint, listing };
}

/**
 * Whether a part of a pattern deliberately matches this name. Only letters are compared; an agent's pattern is never
 * run.
 */
function isAfter(part: string, name: string): boolean {
  const isFromStart = part.startsWith("^");
  const text = part.replace(/[\\^$()[\]{}*+?"']/g, "").toLowerCase();
  const letters = text.replace(/[^a-z0-9]/g, "");
  if (letters === "") return text.startsWith(".") && name.startsWith(".");
  const means =
    TELLING.test(letters) || (letters.length > 1 && TELLING.source.split("|").some((word) => word.startsWith(letters)));
  // `\.rs$` is the ending of a name, and no part of `id_rsa`.
  if (part.includes("\\.") && text.startsWith(".") && !(part.endsWith("$") ? name.endsWith(text) : name.includes(text)))
    return false;
  return (
    means &&
    (isFromStart ? name.startsWith(text) || name.replace(/^\./, "").startsWith(letters) : name.includes(letters))
  );
}

import { isKnown } from "../../language/state/values.ts";
import { isLocalAddress } from "../catalog/machine/local-address.ts";
import { isThing } from "./grave-words.ts";

interface Words {
  readonly text: string;
}

/** Verbs that only read, whatever the program is. */
const READS: ReadonlySet<string> = new Set(
  (
    "list ls get show describe view info status log logs tail search find inspect top event events version help history diff validate lint check test plan doctor " +
    "explain whoami ping count stats completion ps read watch wait health verify preview render template fmt format stat usage metrics query cat plans types regions sizes flavors locations limits quotas"
  ).split(" "),
);
const ONLY_READS = /^(?:get|list|ls|show|describe|view|info|search|find|inspect|help)$/;
/** Verbs of tools that work on files here. */
const WORKS: ReadonlySet<string> = new Set(
  "build compile generate gen init new convert run exec start serve dev bench benchmark coverage report analyze profile scan parse package bundle install setup download fetch clone pull".split(
    " ",
  ),
);

/** Verbs that change what the word before them names: `acl create`, `auth add`. */
const CHANGES: ReadonlySet<string> = new Set(
  "create add start enable use set mint update edit modify grant assign attach bind join move rename rotate".split(" "),
);
/** Things that tools create as files here. */
const FILES_HERE: ReadonlySet<string> = new Set(
  "migration migrations component template module package controller test completion alias plugin theme view mode project file files app".split(
    " ",
  ),
);

/** Options with which a client says which service, account or cluster it means, or signs in to it. */
const NAMES_SERVICE =
  /^--?(?:bootstrap-servers?|broker-list|brokers?|zookeeper|cluster(?:-id|-name|-arn)?|region|account(?:-id|-name)?|project-id|subscription(?:-id)?|resource-group|org(?:anization)?(?:-id)?|tenant(?:-id)?|api-?key|api-?token|access-?(?:key|token)|auth-?token|token|instance-id|bucket|bundle-id|client-(?:id|secret)|apple-id|webhook(?:-ur[il])?|kube-?config|kube-?context|app-id|team-id|stack-name|hosted-zone-id|database(?:-url)?|dsn|db-url)$/i;
/** Options that name a machine. This one does not count. */
const NAMES_MACHINE =
  /^--?(?:server(?:-url)?|endpoint(?:-url)?|api-url|host(?:name)?|remote|url|address|ip|to-repo|dest(?:ination)?)$/i;
/** A place on another machine: `s3://b/x`, `dbfs:/x`, `remote:path`, `user@host:x`. */
const PLACE_ELSEWHERE = /^(?:[\w.+-]+:\/\/|[\w.-]+:[\w./~-]*$|[\w.-]+@[\w.-]+:|@[\w.]+$)/i;
const MOVES: ReadonlySet<string> = new Set(
  "cp copy mv move rsync rsync-up put push upload sync mirror clone archive backup store write save export replicate transfer".split(
    " ",
  ),
);

/**
 * Whether a program without a table is the client of a service, and no verb says that it only reads. Its words may be of
 * any kind, so what it does not say counts as a change.
 */
export function changesService(program: string, args: readonly Words[]): boolean {
  const words = args.map(({ text }) => text).filter((text) => isKnown(text) && text.length <= 80);
  const verbs = words.filter((text) => !text.startsWith("-") && /^[A-Za-z][\w:-]*$/.test(text)).slice(0, 4);
  const parts = verbs.flatMap((word) => [word.toLowerCase(), ...word.toLowerCase().split(/[:_-]/)]);
  const flags = words.flatMap((text) => /^--?([a-z][a-z-]*)$/.exec(text)?.[1] ?? []);
  const steps = verbs.flatMap((verb) => verb.toLowerCase().split(":"));
  // `plan:set`: a word for reading may be the thing, but not one of these.
  if (!parts.some((part) => ONLY_READS.test(part)) && changesThing(steps)) return true;
  if ([...parts, ...flags].some((word) => READS.has(word))) return false;
  if (words.some((text) => PLACE_ELSEWHERE.test(text) && !isHere(text)) && parts.some((part) => MOVES.has(part)))
    return true;
  if (verbs.length === 0 && !namesService(words)) return false;
  // `runner inventedctl x`: such a program after another one.
  const inner = words.findIndex((text) => /^[a-z0-9-]{3,}ctl$/.test(text));
  if (inner >= 0 && inner < words.length - 1) return true;
  // `talosctl`, `flytectl`: what controls something else.
  if (/^(?:[a-z0-9-]{2,}(?:ctl|adm|admin)|nodetool)$/.test(program)) return verbs.length > 0;
  return (
    namesService(words) &&
    !parts.some((part) => WORKS.has(part) && !parts.some((other) => isThing(other) && !WORKS.has(other)))
  );
}

/** `acl create`, `ide:create`, `acl grant-access x`, `create oauth2-client`: a verb after its noun, or before it. */
function changesThing(words: readonly string[]): boolean {
  const after = words.findIndex((word, at) => at > 0 && CHANGES.has(word.split("-", 1)[0] ?? ""));
  if (after > 0) return !words.slice(0, after).some((word) => FILES_HERE.has(word));
  return words.length > 1 && /^(?:create|update|modify)$/.test(words[0] ?? "") && !FILES_HERE.has(words[1] ?? "");
}

function namesService(words: readonly string[]): boolean {
  return words.some((text, at) => {
    const [name = "", attached] = text.split("=", 2);
    if (NAMES_SERVICE.test(name)) return true;
    return NAMES_MACHINE.test(name) && !isHere(attached ?? words[at + 1] ?? "");
  });
}

function isHere(address: string): boolean {
  return address === "" || isLocalAddress(address) || /^(?:file:|[./~]|\d+$)/.test(address);
}

import { isKnown } from "../../language/state/values.ts";

/** The effect that a word suggests, in any program. */
export type GraveEffect = "publish" | "destroy";

const DESTROYS =
  /^(?:delete\w*|del|destroy|drop|dropall|rm|rmi|rmp|remove|rb|purge|prune|wipe|erase|flush|flushall|flushdb|reset|uninstall|unpublish|terminate|teardown|nuke|truncate|kill|killall|stopall|undefine|undo|clean|clear|down|downgrade|rollback|revoke|vacuum|unregister|deinit|autoremove|decommission|shutdown|stop|disable|abort|discard|unset|revert|fresh|cleanup|leave|off|obliterate|forget|expunge|unmerge|abandon|gc|zap|shred|scrub|evict|drain|overwrite|deprovision|retire|yank|halt|reboot|poweroff|detach|unlink|undeploy|implode|empty|quit|restore|redo|expire|deactivate|deregister|failover|reinit|invalidate|ban|rmr|wipeout|\w*clean|drop(?:db|table|index|user|database|collection|schema)\w*|(?:remove|destroy|purge|clear|wipe|erase|terminate|truncate|flush|uninstall|undeploy|unpublish|rollback|revoke|reset|unregister)\w+|\w+(?:delete|destroy|purge|wipe|erase|uninstall|remove))$/;
const PUBLISHES =
  /^(?:publish|deploy|release|push|upload|submit|send|sync|apply|promote|dcommit|share|post|put|patch|invite|transfer|ship|rollout|serve|tunnel|expose|sign|import|login|pub|produce|shipit|land|email|mail|notify|broadcast|announce|mirror|replicate|send\w+|commit|checkin|trigger|cancel|restart|rerun|resolve|ack|acknowledge|archive|activate|refund|flash|close|merge|approve|withdraw|payout|invoke|launch|resubmit|backfill|alter|confirm|promote|provision|register|authenticate|authorize\w*|fetch-\w+-string|reindex|rebalance|reassign|failback|unpause|publicize|crosspost|tweet|toot|sms|fax|reply|forward|handoff|purchase|subscribe|unsubscribe|donate|dispatch|redeploy|upsert|ingest|bulk|enqueue|toggle(?:-\w+)?|logout|ssh|unack\w*|cutover|execute|dump|backup|unlock|trim|trim-\w+|\w*(?:slack|webhook|telegram|whatsapp|discord)\w*)$/;
/** The words that can be verbs: they come first, and may be compound (`db:drop`, `delete-context`, `schema:drop`). */
const MAX_VERBS = 5;

/**
 * Whether the words of a command with an uncertain effect say that it destroys or publishes. It is then dangerous, and
 * no built-in profile allows it without a person.
 */
export function findGrave(program: string, args: readonly { readonly text: string }[]): GraveEffect | null {
  let found: GraveEffect | null = null;
  const words = args.map(({ text }) => text).filter((text) => isKnown(text) && text.length <= 40);
  // `runner ./deploy.sh`: a script by its path.
  found = words.map((text) => (SCRIPT_PATH.test(text) ? scriptEffect(text) : null)).find((one) => one !== null) ?? null;
  // `curl -Q 'DELE x' ftp://…`
  if (words.some((text) => /^[-*+]?(?:DELE|RMD|RNFR|RNTO|SITE|MKD|STOR|STOU|APPE) /.test(text))) return "destroy";
  const verbs = words
    // `craft users/delete x`
    .flatMap((text, at) => (at === 0 && /^[a-z-]+\/[a-z-]+$/.test(text) ? text.split("/") : [text]))
    .filter((text) => !text.startsWith("-") && !/[\s/=@]/.test(text))
    .slice(0, MAX_VERBS);
  const options = words
    .flatMap((text) => /^--?([a-z][a-z-]+)(?:=|$)/.exec(text)?.[1] ?? [])
    .filter((name) => name !== "rm");
  // Hadoop's verbs have a dash: `hdfs dfs -rm x`. `--rm` is an option of containers.
  if (words.some((text) => /^-rmr?$/.test(text))) return "destroy";
  // `grpcurl host:443 shop.Orders/DeleteAll`: the method is the verb.
  const methods = words.flatMap((text) => /^[\w.]+\/([A-Z]\w+)$/.exec(text)?.[1] ?? []);
  if (args.some(({ text }) => destroysBySql(text))) return "destroy";
  // `asterisk -rx 'core stop now'`: a command of the program's own.
  const given = args.flatMap(({ text }, at) =>
    GIVES_COMMAND.test(args[at - 1]?.text ?? "") ? text.split(/\s+/, 3) : [],
  );
  if (given.some((word) => graveWord(word) === "destroy")) return "destroy";
  for (const word of [...verbs, ...options, ...methods]) {
    if (HARMLESS_WORD.test(`${program} ${word}`)) continue;
    const effect = graveWord(word);
    if (effect === "destroy") return effect;
    found ??= effect;
  }
  return found;
}

const SCRIPT_PATH = /^\.{0,2}\/?(?:[\w.-]+\/)*[\w.-]+\.(?:sh|bash|py|js|mjs|ts|rb|pl|php)$/;
const GIVES_COMMAND = /^(?:-\w?[cexq]|--(?:command|execute|exec|eval|query|cmd))$/;

/** `npm publi`: some programs accept the beginning of a verb. */
export function abbreviatedEffect(args: readonly { readonly text: string }[]): GraveEffect | null {
  const verb = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  return verb.length >= 4 && "publish unpublish deploy delete destroy".split(" ").some((word) => word.startsWith(verb))
    ? "publish"
    : null;
}

/** A statement for a database that no table knows. */
const SQL_DESTROYS =
  /(?:^|;)[ \t]*(?:drop|disable|truncate)\s+'|(?:^|;)[ \t]*remove\s+(?:table|database|namespace)\s|\b(?:drop_all|delete_all|destroy_all|deleteMany|dropDatabase)\s*\(|\bshutdown\s*:\s*1|(?:^|;)[ \t]*(?:drop|truncate|alter)\s+(?:table|database|schema|keyspace|warehouse|view|index|user|role|measurement|series|bucket)(?:\s|$)|(?:^|;)[ \t]*delete\s+from\s|^[ \t]*truncate[ \t]+[\w."`]+(?:[ \t]*;)?[ \t]*$|^[ \t]*update\s+[\w."`]+\s+set\s/im;

export function destroysBySql(statement: string): boolean {
  return SQL_DESTROYS.test(statement);
}

export function destroysByName(word: string): boolean {
  return DESTROYS.test(word.toLowerCase());
}

/** Git's own table judges these verbs. */
const HARMLESS_WORD = /^(?:git (?:apply|reset|revert|clean))$/;

/** `dropAll` is `drop` and `all`. */
function partsOf(word: string): string[] {
  return [word, ...word.replace(/([a-z])([A-Z])/g, "$1-$2").split(/[:._-]/)].map((part) => part.toLowerCase());
}

function graveWord(word: string): GraveEffect | null {
  const parts = partsOf(word);
  if (parts.some((part) => DESTROYS.test(part))) return "destroy";
  return parts.some((part) => PUBLISHES.test(part)) ? "publish" : null;
}

/**
 * The effect that the name of a project script suggests: `deploy:prod`, `scripts/publish.sh`, `db:reset`. A word for
 * destroying counts anywhere. A word for publishing counts only in first place in a file name (`file-upload.js` is a
 * part of the project), and `release` counts only in first place (`build:release` builds).
 */
export function scriptEffect(script: string): GraveEffect | null {
  const isFile = script.includes("/") || /\.\w{1,4}$/.test(script);
  const name = script.slice(script.lastIndexOf("/") + 1).replace(/\.\w{1,4}$/, "");
  return isFile ? wordsEffect(name, (words) => words.slice(0, 1)) : taskEffect(name);
}

/** The same for the name of a task, which is never a file. */
export function taskEffect(task: string): GraveEffect | null {
  return wordsEffect(task, (words) => {
    // `pypi_release`
    const isToRegistry = words.some((word) => REGISTRIES.has(word));
    return words.filter((word, at) => at === 0 || word !== "release" || isToRegistry);
  });
}

const REGISTRIES: ReadonlySet<string> = new Set(
  "pypi npm crates maven sonatype nuget gem rubygems hex docker dockerhub github gitlab cran hackage pub cdn".split(
    " ",
  ),
);

function wordsEffect(name: string, publishing: (words: readonly string[]) => readonly string[]): GraveEffect | null {
  // `artifactoryPublish` is `artifactory` and `publish`.
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[:._+-]/)
    .filter((word) => word !== "");
  if (words.some((word) => SCRIPT_REHEARSES.test(word))) return null;
  // `delete-dist` removes what can be built again.
  if (words[0] === "delete" && words.length > 1 && words.slice(1).every((word) => GENERATED.test(word))) return null;
  if (words.some((word) => SCRIPT_DESTROYS.test(word))) return "destroy";
  return publishing(words).some((word) => SCRIPT_PUBLISHES.test(word)) ? "publish" : null;
}

const SCRIPT_DESTROYS =
  /^(?:destroy|drop|dropall|wipe|purge|teardown|nuke|flush|truncate|reset|rollback|undeploy|unpublish|fresh|refresh|downgrade|sqlflush|delete|deleteall|erase)$/;
const SCRIPT_PUBLISHES = /^(?:deploy|publish|release|upload|push|ship|invalidate)$/;
const GENERATED =
  /^(?:dist|build|out|target|cache|caches|tmp|temp|node|modules|logs?|coverage|artifacts|files?|folders?|dir)$/;
/** Dry runs and checks. */
const SCRIPT_REHEARSES = /^(?:dry|check|test|tests|lint|plan|preview|notes|validate|verify|diff)$/;

/** Whether a list of files only names tests or examples: `tests/*.sh`. In other folders, a name may say that it publishes. */
export function isNamedTest(path: string): boolean {
  return (
    /^(?:\.\/)?(?:[\w.-]+\/)*(?:tests?|spec|e2e|examples|bench(?:es|marks)?)\/[^/]+$/.test(path) &&
    !/\.\.|\uE000/.test(path)
  );
}

import { isKnown } from "../language/state/values.ts";

/** The effect that a word suggests, in any program. */
export type GraveEffect = "publish" | "destroy";

const DESTROYS =
  /^(?:delete\w*|del|destroy|drop|dropall|rm|rmi|rmp|remove|rb|purge|prune|wipe|erase|flush|flushall|flushdb|reset|uninstall|unpublish|terminate|teardown|nuke|truncate|kill|killall|stopall|undefine|undo|clean|clear|down|downgrade|rollback|revoke|vacuum|unregister|deinit|autoremove|decommission|shutdown|stop|disable|abort|discard|unset|revert|fresh|cleanup|leave|off|obliterate|forget|expunge|unmerge|abandon|gc|zap|shred|scrub|evict|drain|overwrite|deprovision|retire|yank|halt|reboot|poweroff|detach|unlink)$/;
const PUBLISHES =
  /^(?:publish|deploy|release|push|upload|submit|send|sync|apply|promote|dcommit|share|post|put|patch|invite|transfer|ship|rollout|serve|tunnel|expose|sign|import|login|pub|produce|shipit|land|email|mail|notify|broadcast|announce|mirror|replicate)$/;

/** Program names that suggest it. */
const DESTROYING_PROGRAM =
  /^(?:\w*del|\w*flush|\w*reset(?:wal|xlog)|\w*kill\w*|\w*remove|\w*destroy|swapoff|umount|atrm|wipe\w*|rm\w+|\w+-trash|trash-\w+|nix-collect-garbage|drop\w+|mkfs(?:\.\w+)?|mke2fs|mkswap|wipefs|xattr|chattr|logrotate)$/;
const PUBLISHING_PROGRAM =
  /^(?:\w*mail\w*|\w*deploy\w*|\w*publish\w*|release-it|np|semantic-release|surge|gh-pages|ngrok|croc|transfer|codecov|coveralls|chromatic|reviewdog|danger|gist|pastebinit|termbin|sprunge|wgetpaste|kaggle|kcat|kafkacat|[\w-]+[-_](?:pub|upload)|upload[-_]\w+|[\w-]+-producer|slack[\w-]*|puppet|now)$/;

/** Programs that send files, messages or what they find to another machine, or open a way in; whatever their words are. */
const SENDERS: ReadonlySet<string> = new Set(
  (
    "dput dupload debrelease debcommit copr-cli reprepro osc arc git-review rbt spr copr kaniko executor nix-copy-closure conda-build " +
    "mutt neomutt s-nail nail alpine aerc irssi weechat telegram-send matrix-commander apprise pushover gotify discord.sh " +
    "wput ncftpput unison azcopy duplicity duplicati cadaver syncthing smbclient tftp socat telnet websocat wscat ix pb gist-paste " +
    "frpc frps chisel bore zerotier-cli cloudflared sonar-scanner fossa nsq_to_nsq vc"
  ).split(" "),
);

const DESTROYING_FLAG = /^(?:pacman -R\w*|at -[dr]|yay -R\w*|paru -R\w*|emerge -C)$/;

/** The words that can be verbs: they come first, and may be compound (`db:drop`, `delete-context`, `schema:drop`). */
const MAX_VERBS = 4;

/**
 * Whether the words of a command with an uncertain effect say that it destroys or publishes. It is then dangerous, and
 * no built-in profile allows it without a person.
 */
export function findGrave(program: string, args: readonly { readonly text: string }[]): GraveEffect | null {
  if (DESTROYING_PROGRAM.test(program) || DESTROYING_FLAG.test(`${program} ${args[0]?.text ?? ""}`)) return "destroy";
  let found: GraveEffect | null = PUBLISHING_PROGRAM.test(program) || SENDERS.has(program) ? "publish" : null;
  const words = args.map(({ text }) => text).filter((text) => isKnown(text) && text.length <= 40);
  const verbs = words.filter((text) => !text.startsWith("-") && !/[\s/=@]/.test(text)).slice(0, MAX_VERBS);
  const options = words
    .flatMap((text) => /^--?([a-z][a-z-]+)(?:=|$)/.exec(text)?.[1] ?? [])
    .filter((name) => name !== "rm");
  // Hadoop's verbs have a dash: `hdfs dfs -rm x`. `--rm` is an option of containers.
  if (words.some((text) => /^-rmr?$/.test(text))) return "destroy";
  // `grpcurl host:443 shop.Orders/DeleteAll`: the method is the verb.
  const methods = words.flatMap((text) => /^[\w.]+\/([A-Z]\w+)$/.exec(text)?.[1] ?? []);
  if (args.some(({ text }) => destroysBySql(text))) return "destroy";
  for (const word of [...verbs, ...options, ...methods]) {
    if (HARMLESS_WORD.test(`${program} ${word}`)) continue;
    const effect = graveWord(word);
    if (effect === "destroy") return effect;
    found ??= effect;
  }
  return found;
}

/** A statement for a database that no table knows. */
const SQL_DESTROYS =
  /^\s*(?:drop|truncate|alter)\s+(?:table|database|schema|keyspace|warehouse|view|index|user|role|measurement|series|bucket)\s|^\s*delete\s+from\s|^\s*truncate\s+[\w."`]+\s*;?\s*$|^\s*update\s+[\w."`]+\s+set\s/im;

export function destroysBySql(statement: string): boolean {
  return SQL_DESTROYS.test(statement);
}

export function destroysByName(word: string): boolean {
  return DESTROYS.test(word.toLowerCase());
}

/** Git's own table judges these verbs. */
const HARMLESS_WORD = /^(?:git (?:apply|reset|revert|clean))$/;

function graveWord(word: string): GraveEffect | null {
  // `dropAll` is `drop` and `all`.
  const parts = [word, ...word.replace(/([a-z])([A-Z])/g, "$1-$2").split(/[:._-]/)].map((part) => part.toLowerCase());
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
  return wordsEffect(task, (words) => words.filter((word, at) => at === 0 || word !== "release"));
}

function wordsEffect(name: string, publishing: (words: readonly string[]) => readonly string[]): GraveEffect | null {
  // `artifactoryPublish` is `artifactory` and `publish`.
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[:._+-]/)
    .filter((word) => word !== "");
  if (words.some((word) => SCRIPT_REHEARSES.test(word))) return null;
  if (words.some((word) => SCRIPT_DESTROYS.test(word))) return "destroy";
  return publishing(words).some((word) => SCRIPT_PUBLISHES.test(word)) ? "publish" : null;
}

const SCRIPT_DESTROYS =
  /^(?:destroy|drop|dropall|wipe|purge|teardown|nuke|flush|truncate|reset|rollback|undeploy|unpublish|fresh|refresh|downgrade|sqlflush|delete|deleteall|erase)$/;
const SCRIPT_PUBLISHES = /^(?:deploy|publish|release|upload|push|ship)$/;
/** Dry runs and checks. */
const SCRIPT_REHEARSES = /^(?:dry|check|test|tests|lint|plan|preview|notes|validate|verify|diff)$/;

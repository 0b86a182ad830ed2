import { isKnown } from "../language/state/values.ts";

/** What a word says about the effect of any program. */
export type GraveEffect = "publish" | "destroy";

const DESTROYS =
  /^(?:delete\w*|del|destroy|drop|dropall|rm|rmi|remove|rb|purge|prune|wipe|erase|flush|flushall|flushdb|reset|uninstall|unpublish|terminate|teardown|nuke|truncate|kill|killall|stopall|undefine|undo|clean|clear|down|downgrade|rollback|revoke|vacuum|unregister|deinit|autoremove|decommission|shutdown|stop|disable|abort|discard|unset|revert|fresh|cleanup|leave|off)$/;
const PUBLISHES =
  /^(?:publish|deploy|release|push|upload|submit|send|sync|apply|promote|dcommit|share|post|put|patch|invite|transfer|ship|rollout|serve|tunnel|expose|sign|import|login)$/;

/** Programs with such a name. */
const DESTROYING_PROGRAM =
  /^(?:\w*del|\w*kill\w*|\w*remove|\w*destroy|swapoff|umount|atrm|wipe\w*|rm\w+|\w+-trash|trash-\w+|nix-collect-garbage|drop\w+|xattr|chattr|logrotate)$/;
const PUBLISHING_PROGRAM =
  /^(?:\w*mail\w*|\w*deploy\w*|\w*publish\w*|release-it|np|semantic-release|surge|gh-pages|ngrok|croc|transfer|codecov|kaggle|kcat|kafkacat|[\w-]+[-_]pub|[\w-]+-producer|slack[\w-]*|puppet|now)$/;

const DESTROYING_FLAG = /^(?:pacman -R\w*|at -[dr]|yay -R\w*|paru -R\w*|emerge -C)$/;

/** The words that can be verbs: they come first, and may be compound (`db:drop`, `delete-context`, `schema:drop`). */
const MAX_VERBS = 4;

/**
 * A command of uncertain effect may still say by its words that it destroys or publishes: then it is dangerous, and no
 * built-in profile allows it without a person.
 */
export function findGrave(program: string, args: readonly { readonly text: string }[]): GraveEffect | null {
  if (DESTROYING_PROGRAM.test(program) || DESTROYING_FLAG.test(`${program} ${args[0]?.text ?? ""}`)) return "destroy";
  let found: GraveEffect | null = PUBLISHING_PROGRAM.test(program) ? "publish" : null;
  const words = args.map(({ text }) => text).filter((text) => isKnown(text) && text.length <= 40);
  const verbs = words.filter((text) => !text.startsWith("-") && !/[\s/=@]/.test(text)).slice(0, MAX_VERBS);
  const options = words
    .flatMap((text) => /^--?([a-z][a-z-]+)(?:=|$)/.exec(text)?.[1] ?? [])
    .filter((name) => name !== "rm");
  if (args.some(({ text }) => SQL_DESTROYS.test(text))) return "destroy";
  for (const word of [...verbs, ...options]) {
    if (HARMLESS_WORD.test(`${program} ${word}`)) continue;
    const effect = graveWord(word);
    if (effect === "destroy") return effect;
    found ??= effect;
  }
  return found;
}

/** A statement for a database that no table knows. */
const SQL_DESTROYS =
  /^\s*(?:drop|truncate|alter)\s+(?:table|database|schema|view|index|user|role)\s|^\s*delete\s+from\s/i;

/** Git can recover what these leave behind. */
const HARMLESS_WORD = /^(?:git (?:apply|reset|revert|clean))$/;

function graveWord(word: string): GraveEffect | null {
  // `dropAll` is `drop` and `all`.
  const parts = [word, ...word.replace(/([a-z])([A-Z])/g, "$1-$2").split(/[:._-]/)].map((part) => part.toLowerCase());
  if (parts.some((part) => DESTROYS.test(part))) return "destroy";
  return parts.some((part) => PUBLISHES.test(part)) ? "publish" : null;
}

/**
 * What the name of a project script says about its effect: `deploy:prod`, `scripts/publish.sh`, `db:reset`. Any word
 * means destroying. Only the first one means publishing in the name of a file (`file-upload.js` is a part of the
 * project), and `release` only if it is the first one (`build:release` builds).
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
  /^(?:destroy|drop|wipe|purge|teardown|nuke|flush|truncate|reset|rollback|undeploy|unpublish|fresh|refresh|downgrade|sqlflush)$/;
const SCRIPT_PUBLISHES = /^(?:deploy|publish|release|upload|push|ship)$/;
/** Dry runs and checks. */
const SCRIPT_REHEARSES = /^(?:dry|check|test|tests|lint|plan|preview|notes|validate|verify|diff)$/;

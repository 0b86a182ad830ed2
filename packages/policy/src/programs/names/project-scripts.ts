import type { Field } from "../../language/state/values.ts";
import { destroysBySql, type GraveEffect, scriptEffect } from "./grave-words.ts";

type Task = (task: string, rest: readonly string[]) => GraveEffect | null;

/** Scripts that frameworks put into every project, and those of their tasks whose names do not say it all. */
const FRAMEWORKS: readonly (readonly [script: RegExp, effect: Task])[] = [
  [/(^|\/)manage\.py$/, ofDjango],
  [/(^|\/)setup\.py$/, ofSetuptools],
  [/(^|\/)(?:artisan|console|magento)$/, ofPhp],
];

/** Scripts of a project that test or check it, by their names. */
const TESTS = /^(?:t|tst|tests?|spec|lint|typecheck|type-check|e2e|unit|coverage|bench)(?:[:._-][\w:.-]*)?$/;

/** `npm run deploy`, `python manage.py flush`: the name of the project's script says what it does. */
export function projectScriptEffect(words: readonly Field[]): GraveEffect | null {
  const [script, task, ...rest] = words.map(({ text }) => text);
  if (script === undefined) return null;
  const named =
    scriptEffect(script) ?? (TESTS.test(script) || CHECKS.test(task ?? "") ? null : optionEffect([task, ...rest]));
  if (named !== null || task === undefined) return named;
  const known = FRAMEWORKS.find(([name]) => name.test(script))?.[1](task, rest) ?? null;
  if (known !== null) return known;
  if (migratesBack([task, ...rest])) return "destroy";
  // `npm test -- token-refresh`: words after a test name what is tested.
  if (TESTS.test(script) || !/^[\w:-]+$/.test(task) || /^--(?:no|skip|without)-/.test(task)) return null;
  if (/^(?:deploy|publish|release)$|:deploy$/.test(task)) return "publish";
  return scriptEffect(task) === "destroy" ? "destroy" : null;
}

/** Tasks that only look: `manage.py check --deploy`. */
const CHECKS = /^(?:check|test|tests|lint|plan|validate|verify|diff|list|show|status)$/;

/** `bin/topics.sh --delete`, `python tools/build.py --upload`: what an option of a script says. */
function optionEffect(words: readonly (string | undefined)[]): GraveEffect | null {
  if (words.some((word) => /^--(?:dry-?run|check|simulate|preview|plan)$/.test(word ?? ""))) return null;
  const names = words.flatMap((word) => /^--([a-z]+)(?:-all|-everything)?$/.exec(word ?? "")?.[1] ?? []);
  if (names.some((name) => OPTION_DESTROYS.has(name))) return "destroy";
  return names.some((name) => OPTION_PUBLISHES.has(name)) ? "publish" : null;
}

const OPTION_DESTROYS: ReadonlySet<string> = new Set(
  "delete destroy purge drop wipe erase nuke truncate alter".split(" "),
);
const OPTION_PUBLISHES: ReadonlySet<string> = new Set("publish deploy upload".split(" "));

/** Tasks of Django that overwrite rows, end sessions or change accounts. */
const DJANGO_LOSES: ReadonlySet<string> = new Set(
  "loaddata remove_stale_contenttypes clearsessions createsuperuser changepassword dbrestore mediarestore".split(" "),
);

function ofDjango(task: string, rest: readonly string[]): GraveEffect | null {
  if (DJANGO_LOSES.has(task) || /^(?:drop|delete|purge|remove|wipe|flush|truncate|invalidate)_/.test(task))
    return "destroy";
  if (/^send/.test(task)) return "publish";
  if (task !== "migrate") return null;
  // `migrate app zero` drops its tables, and to any named migration it may go back.
  return rest.includes("zero") || rest.filter((word) => !word.startsWith("-")).length > 1 ? "destroy" : null;
}

/** The oldest way to publish a package. */
function ofSetuptools(task: string, rest: readonly string[]): GraveEffect | null {
  return [task, ...rest].some((word) => /^(?:upload|register)$/.test(word)) ? "publish" : null;
}

/** The last word of a task that ends or removes something. A cache is cleared in everyday work. */
const PHP_LOSES: ReadonlySet<string> = new Set(
  "down prune terminate remove delete destroy purge revoke drop wipe truncate enable disable".split(" "),
);

/** Tasks of Laravel and Symfony that remove rows, or run a statement that does. */
function ofPhp(task: string, rest: readonly string[]): GraveEffect | null {
  if (/^(?:queue:clear|horizon:clear|doctrine:fixtures:load|passport:keys)$/.test(task)) return "destroy";
  if (PHP_LOSES.has(task.slice(task.lastIndexOf(":") + 1))) return "destroy";
  return /^(?:doctrine:query:sql|dbal:run-sql)$/.test(task) && rest.some(destroysBySql) ? "destroy" : null;
}

/** `db:migrate VERSION=0`, `doctrine:migrations:migrate first`, `ecto.migrate --to 0`: back to the beginning. */
export function migratesBack([task = "", ...rest]: readonly string[]): boolean {
  if (!/migrat/.test(task)) return false;
  return rest.some(
    (word, at) =>
      /^(?:VERSION=0|first|prev|--(?:to|target|version)=(?:0|zero|base))$/.test(word) ||
      (/^(?:0|zero|base)$/.test(word) && /^(?:-t|-v|--(?:to|target|version))$/.test(rest[at - 1] ?? "")),
  );
}

import type { SafetyLevel } from "@belay/protocol";
import type { JudgeContext } from "../context.ts";
import { isProjectPath } from "../dangers/paths/project-paths.ts";
import type { Invocation } from "../language/commands/invocation.ts";
import { display, type Field, field, has, TAINT } from "../language/state/values.ts";
import { resolvePath } from "../language/words/paths.ts";
import type { OrdinaryWork } from "../settings/defaults/ordinary-work.ts";
import { programNamed } from "./catalog/index.ts";
import type { Effect, ProgramUse, UsedOption } from "./define-program.ts";
import { readUse } from "./effects/read-use.ts";
import { abbreviatedEffect, destroysBySql, findGrave, type GraveEffect } from "./names/grave-words.ts";
import { saysHarmless } from "./names/harmless-words.ts";
import { projectScriptEffect } from "./names/project-scripts.ts";
import { hasRevealingOption, saysSecret, selectsEnvironment, taskPrintsSecrets } from "./names/secret-words.ts";
import { namedTaskEffect } from "./names/task-names.ts";
import { couldBeOption } from "./options.ts";
import { findOutside } from "./outside-project.ts";
import { runsItsInput } from "./piped-code.ts";
import { namesAddress, namesInlineModule, namesRemoteCode } from "./remote-code.ts";

/** What the table of a program says about one use of it. */
export interface Assessment {
  readonly level: SafetyLevel;
  readonly rule: string;
  readonly reason: string;
  /** No table knows the program or its verb, and its words do not say that it is harmless. */
  readonly isUnlisted?: true;
}

const SAFE: Assessment = { level: "safe", rule: "known-program", reason: "" };
const ask = (level: "unknown" | "dangerous", rule: string, reason: string): Assessment => ({ level, rule, reason });

export const SECRET = ask("dangerous", "sensitive-read", "Prints secrets or credentials.");

/** The consequence of each effect; `switch` names the part of ordinary work that a team can turn off. */
const EFFECT_ANSWERS: Readonly<Record<Effect, { switch?: keyof OrdinaryWork; otherwise: Assessment } | null>> = {
  read: null,
  remote: { switch: "remoteReads", otherwise: ask("unknown", "remote-read", "Reads from a remote account.") },
  work: { switch: "checks", otherwise: ask("unknown", "project-work", "Builds, tests or checks the project.") },
  edit: { switch: "edits", otherwise: ask("unknown", "writes-file", "Writes files.") },
  sync: { switch: "versionControl", otherwise: ask("unknown", "git-write", "Changes the repository.") },
  restore: { switch: "lockedInstalls", otherwise: ask("unknown", "package-scripts", "Installs packages.") },
  local: { switch: "localNetwork", otherwise: ask("unknown", "network", "Talks to a server on this machine.") },
  change: {
    otherwise: ask(
      "unknown",
      "changes-state",
      "Changes something besides the contents of the project's files, such as access rights, settings or a service.",
    ),
  },
  install: { otherwise: ask("unknown", "package-scripts", "Installs or removes software.") },
  code: { otherwise: ask("unknown", "runs-code", "Runs code that is given to it.") },
  network: { otherwise: ask("unknown", "network", "Opens a network connection.") },
  secret: { otherwise: SECRET },
  publish: { otherwise: ask("dangerous", "publishes", "Publishes, or changes a remote system.") },
  destroy: {
    otherwise: ask("dangerous", "destroys", "Removes, discards or ends something that cannot be brought back."),
  },
};

/** Null if no table knows the program. */
export function assess(invocation: Invocation, context: JudgeContext, ordinary: OrdinaryWork): Assessment | null {
  const program = programNamed(invocation.program);
  if (program === undefined) return null;
  const use = readUse(program, invocation.program, invocation.args);
  if (use.isQuestion) return hasRevealingOption(invocation.args) ? SECRET : SAFE;
  const effect = effectOf(use, invocation);
  const answer = EFFECT_ANSWERS[effect];
  // A certain danger takes precedence over something unknown.
  if (answer?.otherwise.level === "dangerous") return answer.otherwise;
  if (printsSecrets(use, invocation, effect)) return SECRET;
  const doubt = findDoubt(use, invocation, context);
  if (doubt !== null) return doubt;
  if (answer === null || (answer.switch !== undefined && ordinary[answer.switch])) return SAFE;
  return answer.otherwise;
}

function printsSecrets(use: ProgramUse, { program, args }: Invocation, effect: Effect): boolean {
  // Words after a wrapper belong to another command.
  if (hasRevealingOption(use.wraps === null ? args : use.options.map(({ name }) => ({ text: name })))) return true;
  if (saysSecret(program, args, effect)) return true;
  if (effect === "remote" && use.options.some(({ name, value }) => selectsEnvironment(name, value?.text ?? "")))
    return true;
  const [script] = use.operands;
  return (
    script !== undefined &&
    taskPrintsSecrets(script.text, use.operands.slice(1).length > 0 ? args.slice(args.indexOf(script) + 1) : [])
  );
}

function effectOf(use: ProgramUse, invocation: Invocation): Effect {
  if (goesOnQuietly(use, invocation)) return "sync";
  const fed = fedStatements(use, invocation);
  if (fed !== null) return fed;
  const second = use.does === "remote" ? secondVerb(use) : null;
  if (second !== null) return second;
  if (use.does !== "work") return use.does;
  const [first] = use.operands;
  // `swift delete x`: another program of the same name has this verb.
  const other = use.lacksVerb && !use.namesScript && first !== undefined ? unlistedVerb(first) : null;
  if (other !== null) return other;
  // `npm test` is the script of that name, and what follows are its arguments.
  const ownName = /^(?:t|tst|test|start)$/.test(use.verb) ? [field(use.verb)] : [];
  const named = use.namesScript && !isFilter(use) ? projectScriptEffect([...ownName, ...use.operands]) : null;
  // `make -n deploy` only prints what it would do.
  const isRehearsal = use.options.some(({ name }) => REHEARSES.has(name));
  return named ?? (isRehearsal ? null : namedTaskEffect(invocation.program, invocation.args)) ?? use.does;
}

/** `perl -ne 'print if /x/' scripts/deploy.sh`: the files after the code are only read, line by line. */
function isFilter({ program, options }: ProgramUse): boolean {
  const uses = (...names: readonly string[]) => options.some(({ name }) => names.includes(name));
  const name = program.names[0] ?? "";
  // In Ruby, `-E` is an encoding.
  return uses("-n", "-p") && ((name === "perl" && uses("-e", "-E")) || (name === "ruby" && uses("-e")));
}

/** `oras manifest delete x`: the second verb of a reading one, which its table does not list. */
function secondVerb({ verb, operands: [first] }: ProgramUse): GraveEffect | null {
  return verb === "" || first === undefined || LOOKS.test(verb) ? null : unlistedVerb(first);
}

function unlistedVerb({ text }: Field): GraveEffect | null {
  if (/^(?:delete|destroy|purge|wipe|drop|prune|remove|rm|terminate)$/.test(text)) return "destroy";
  return /^(?:push|publish|upload|sign|deploy)$/.test(text) ? "publish" : null;
}

/** What follows these verbs is a name, or a kind of resource: `kubectl create deploy --dry-run=client`. */
const LOOKS =
  /(?:^| )(?:create|search|logs?|explain|help|get|view|show|info|describe|list|ls|status|inspect|events|top)\b/;

const REHEARSES: ReadonlySet<string> = new Set("-n --dry-run --just-print --dry --dryrun -m --dryRun".split(" "));

const REMOTE_CODE = ask("dangerous", "runs-code", "Runs code from another machine, which no person has read.");

/** What in the options and arguments makes this use riskier than its verb, or unclear. */
function findDoubt(use: ProgramUse, invocation: Invocation, context: JudgeContext): Assessment | null {
  const risky = use.options.find((option) => isRisky(option, use));
  if (risky !== undefined) {
    const what = risky.kind === "host" ? "talk to another machine, or trust one" : "run another program, or load code";
    const reason = `The option ${risky.name} makes ${invocation.program} ${what}.`;
    return ask("dangerous", "option-runs-code", reason);
  }
  if (runsItsInput(use, invocation))
    return ask("dangerous", "runs-code", "Runs code that comes through its input, which no person has read.");
  if (namesRemoteCode(use)) return REMOTE_CODE;
  if (use.unknown !== null) {
    const what = use.unknown.startsWith("-") ? `the option "${use.unknown}"` : `"${display(use.unknown)}"`;
    return ask("unknown", "unknown-option", `The effect of ${what} on ${invocation.program} is unknown.`);
  }
  if (namesInlineModule(use)) return ask("dangerous", "runs-code", "Runs code that is part of an address.");
  const isFetched = namesAddress(use);
  if (isFetched && use.namesScript) return REMOTE_CODE;
  const outside = findOutside(use, invocation, context);
  if (outside !== null) return ask("unknown", "outside-workspace", outside);
  if (isFetched) return ask("unknown", "network", "Is given an address of another machine.");
  return hasUnknownOption(use, invocation)
    ? ask("unknown", "dynamic-argument", "An unknown argument could change what this does.")
    : null;
}

/** `mysql < dump.sql`: these statements are not visible. Statements in a here-document are. */
function fedStatements(use: ProgramUse, invocation: Invocation): Effect | null {
  const { program, does } = use;
  const { redirects, stdin, isInPipeline } = invocation;
  const { readsStatements } = program.spec;
  const named = readsStatements === undefined ? null : statementsInFiles(use, invocation);
  if (readsStatements !== undefined && named !== null) return readsStatements(named);
  if (readsStatements === undefined || (does !== "code" && does !== "change")) return null;
  if (stdin.text !== null && stdin.text.trim() !== "") return readsStatements(stdin.text);
  const isFed = redirects.some(({ type }) => type === "read") || (isInPipeline && stdin.text === null);
  return isFed ? "destroy" : null;
}

/** `psql -f q.sql` after a command wrote `q.sql`: its statements, if nothing else is given. */
function statementsInFiles({ options }: ProgramUse, { effects }: Invocation): string | null {
  const files = options.filter(({ name }) => name === "-f" || name === "--file");
  if (files.length === 0 || options.some(({ name }) => name === "-c" || name === "--command")) return null;
  const texts = files.map(({ value }) => effects.find(({ path }) => path === value)?.content?.text ?? "");
  return texts.every((text) => text.trim() !== "") ? texts.join("\n") : null;
}

/**
 * Whether git continues without opening an editor: `GIT_EDITOR=true git rebase --continue` keeps the message, and
 * `GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash` keeps the list.
 */
function goesOnQuietly(use: ProgramUse, { env }: Invocation): boolean {
  if (use.name !== "git" || use.does !== "change") return false;
  const isQuiet = (variable: string) => /^(true|:)$/.test(env.get(variable)?.text ?? "");
  const isGiven = (...names: readonly string[]) => use.options.some(({ name }) => names.includes(name));
  const isOnly = (...names: readonly string[]) =>
    use.options.every(({ name, does }) => does !== "change" || names.includes(name));
  if (isGiven("--continue")) return isQuiet("GIT_EDITOR");
  return isGiven("--autosquash") && isOnly("-i", "--interactive") && isQuiet("GIT_SEQUENCE_EDITOR");
}

/** Endings of option names that load, run or write. Used for programs whose table does not list all options. */
const TELLTALE =
  /(^|[-_.])(exec|command|cmd|shell|eval|hooks?|plugins?|preload|loader|require|import|init|rc|rcfile|script|program|tool|wrapper|launcher|runner|pager|editor|browser|proxy|registry|endpoint|endpoint-url|kubeconfig|token|password|secret|upload|push|publish|deploy|delete|out|output|outfile|out-file|output-file|save|dump|destination)$/i;
/** For clouds and forges only these count: most of their options name resources of the account. */
const REMOTE_TELLTALE =
  /^--?(exec|shell|eval|proxy|endpoint|endpoint-url|kubeconfig|outfile|out-file|output-file|log-file|password|secret|ca-bundle|ca-file|ca-cert|cacert|kube-ca-file|certificate-authority|tlscacert|insecure|insecure-skip-tls-verify|kube-insecure-skip-tls-verify|skip-ssl-validation|skip-tls-verify|disable-ssl-validation|tls-no-verify)$/i;

/** The project's own tools run the project's own code, so only options that reach beyond it matter. */
const WORK_TELLTALE =
  /(^|-)(exec|eval|command|cmd|shell|hook|proxy|upload|publish|push|deploy|install|purge|destroy|api-key|tunnel)([-=]|$)|^--on-?(?:[a-z]+-?)?(?:success|failure|complete|done|ready|built)(?:=|$)/i;

function isRisky({ kind, isGuessed, name, value }: UsedOption, { does }: ProgramUse): boolean {
  // `-P cat` only disables paging, and `-d memory_limit=-1` only sets a limit.
  if (kind === "code") return !/^(cat|less|more|true|)$/.test(value?.text ?? "?") && !isLimit(value);
  if (kind === "host") return true;
  if (!isGuessed || name.startsWith("--no-")) return false;
  if (does === "remote") return REMOTE_TELLTALE.test(name);
  return does === "work" ? WORK_TELLTALE.test(name) : TELLTALE.test(name);
}

/** Settings of PHP that load nothing: limits, and what is displayed. */
function isLimit(value: Field | null): boolean {
  return /^(?:memory_limit|max_execution_time|display_errors|display_startup_errors|error_reporting|xdebug\.mode|pcov\.enabled|zend\.assertions|date\.timezone)=[\w+/-]*$/.test(
    value?.text ?? "",
  );
}

/** Whether an unknown argument stands where a more powerful option could be. */
function hasUnknownOption(use: ProgramUse, { args }: Invocation): boolean {
  if (use.program.spec.isSettled?.(use) === true) return false;
  // The rest belongs to the inner command, which is judged separately.
  const isInside = use.wraps !== null && use.operands.length > 0;
  const first = isInside && use.operands[0] !== undefined ? args.indexOf(use.operands[0]) : args.length;
  const known = new Set(use.options.filter(({ isGuessed }) => !isGuessed).map(({ value }) => value));
  const dashes = args.findIndex(({ text }) => text === "--");
  return args.some((arg, at) => {
    // A name that cannot be an option may still be the name of a task: `make "$branch"`.
    const text = NAMES_DATA.has(use.does) ? TAINT.data : TAINT.data | TAINT.name;
    const origin = use.program.spec.takesAddress ? text : text | TAINT.unset;
    // In a function that is only being defined, each call will be judged with its own arguments.
    if (!couldBeOption(arg) || !has(arg.taint, origin) || has(arg.taint, TAINT.listing | TAINT.parameter)) return false;
    return !known.has(arg) && (dashes < 0 || at < dashes) && at < first && hasRiskyOption(use);
  });
}

/** What takes names of branches and resources as plain data. */
const NAMES_DATA: ReadonlySet<Effect> = new Set(["read", "remote", "sync", "local"]);

/** Whether one of its options does more than read. */
function hasRiskyOption({ program, isOpen }: ProgramUse): boolean {
  const { options, verbs, spec } = program.root();
  if (spec.isHarmless) return false;
  if (isOpen || verbs !== null || program.spec.verbEffect !== undefined) return true;
  return [...options.named.values()].some(
    ({ kind, does }) => does !== null || kind === "code" || kind === "write" || kind === "config" || kind === "host",
  );
}

export const GRAVE_REASONS: Readonly<Record<GraveEffect, Assessment>> = {
  publish: ask("dangerous", "publishes", "Its words say that it publishes, or changes a remote system."),
  destroy: ask("dangerous", "destroys", "Its words say that it removes or discards something."),
};

const INSTALLS = /(?:^| )(?:install|i|add|a|require|get|update|upgrade|reinstall|link)$/;

/** Raises a command of uncertain effect to dangerous if its words say that it is. */
export function raiseIfGrave(assessment: Assessment, { program, args, stdin }: Invocation): Assessment {
  // A known build or test is what its table says: `cargo build --release`.
  if (assessment.level !== "unknown" || assessment.rule === "project-work") return assessment;
  // A verb that the table does not list may be any other program: `git secret reveal`.
  const known = programNamed(program);
  const use = known === undefined ? null : readUse(known, program, args);
  const isUnknown = use === null || assessment.rule === "unknown-option";
  if (isUnknown && (hasRevealingOption(args) || saysSecret(program, args, null))) return SECRET;
  // What is installed may have any name: `npm install cancel-token`.
  const words = use !== null && INSTALLS.test(use.verb) ? args.filter((arg) => !use.operands.includes(arg)) : args;
  const abbreviated = use?.verb === "" ? abbreviatedEffect(args) : null;
  const grave = findGrave(program, words) ?? abbreviated ?? (destroysBySql(stdin.text ?? "") ? "destroy" : null);
  if (grave === null) {
    const { isUnlisted = use !== null && hasUnlistedVerb(use, assessment), ...described } = assessment;
    return isUnlisted && !saysHarmless(program, args) ? { ...described, isUnlisted: true } : described;
  }
  const { reason } = use === null ? GRAVE_REASONS[grave] : assessment;
  return { level: "dangerous", rule: assessment.rule, reason };
}

/** Whether the table says nothing certain because it does not list the verb: `git frobnicate`, `influx frobnicate`. */
function hasUnlistedVerb({ unknown, lacksVerb }: ProgramUse, { rule }: Assessment): boolean {
  if (rule === "unknown-option") return lacksVerb || unknown?.startsWith("-") === false;
  return lacksVerb && (rule === "changes-state" || rule === "network");
}

/** Whether it is a file of the project that is started by its path. */
export function isOwnProgram(invocation: Invocation, context: JudgeContext): boolean {
  if (!invocation.path.includes("/")) return false;
  const resolved = resolvePath(invocation.path, invocation.cwd);
  return resolved !== null && isProjectPath(resolved, invocation.cwd, context);
}

import type { Invocation } from "../language/invocation.ts";
import { isInside } from "../language/paths.ts";
import { has, TAINT } from "../language/values.ts";
import { gitCommandSetting } from "../programs/command-options.ts";
import { couldBeOption } from "../programs/options.ts";
import { pathsOf } from "../programs/resolved-effects.ts";
import { readSedScript, sedScripts } from "../programs/sed-script.ts";
import { asks, hasFlag } from "./rule.ts";

/** Options that make a reader run a program, or write. */
const RUNNING_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["rg", /^--(pre|pre-glob|hostname-bin|search-zip)(=|$)|^-z$/],
  ["sort", /^--compress-program/],
  ["man", /^(-[a-zA-Z]*[PH].*|--pager.*|--html.*|-C.*|--config-file.*)$/],
  ["tar", /^(-I.*|--use-compress-program.*|--to-command.*|--checkpoint-action.*)$/],
  ["split", /^--filter/],
  ["date", /^(-s.*|--set.*)$/],
  ["hostname", /^[^-]/],
  ["less", /^(\+.*|-[a-zA-Z]*[okK].*|--log-file.*|--lesskey.*)$/],
  ["more", /^\+/],
  ["fd", /^(-[xX]|--exec.*)$/],
  ["fdfind", /^(-[xX]|--exec.*)$/],
  ["bat", /^--pager/],
  ["jq", /^(-f|--from-file|-L)$/],
  ["yq", /^(-i|--inplace|--in-place)$/],
  ["xxd", /^-[a-z]*r/],
  ["journalctl", /^--(vacuum.*|rotate|flush|sync|update-catalog|setup-keys)/],
  ["ss", /^(-K|--kill)$/],
  ["env", /^(-S.*|--split-string.*)$/],
  ["tsc", /^--(plugins|outFile|outDir)=?\//],
  ["node", /^(-r|--require|--import|--loader|--experimental-loader|--inspect.*|--env-file.*|--test-reporter.*)(=|$)/],
  ["eslint", /^--(rulesdir|resolve-plugins-relative-to)/],
  ["npm", /^--(script-shell|prefix|global|node-options|registry)(=|$)|^-g$/],
  ["yarn", /^--(script-shell|cwd|use-yarnrc)(=|$)/],
  ["awk", /^(-f|--file|-i|--include|-l|--load|-E|--exec)$/],
  ["gawk", /^(-f|--file|-i|--include|-l|--load|-E|--exec)$/],
  ["sed", /^(-f|--file)$/],
]);

/** Readers that could be told to write or run by an argument that is not known. */
const OPTION_RICH = new Set(
  "find sort git sed awk gawk mawk tar rg man npm yarn pnpm npx node env xargs fd split less date docker kubectl systemctl curl tee uniq bun".split(
    " ",
  ),
);
/** They show what is in a file, so the file must be known. */
const CONTENT_READERS = new Set(
  "cat tac nl head tail less more grep egrep fgrep rg strings xxd od hexdump base64 awk sed sort uniq cut paste jq yq diff bat tee".split(
    " ",
  ),
);

export const ASKS_ABOUT_PROGRAMS = [
  asks({
    id: "option-runs-code",
    level: "dangerous",
    reason: "An option makes this program run another one, or load code.",
    programs: [...RUNNING_OPTIONS.keys()],
    fires: (invocation) => {
      const pattern = RUNNING_OPTIONS.get(invocation.program);
      return pattern !== undefined && hasFlag(invocation, pattern);
    },
  }),
  asks({
    id: "inline-code",
    level: "unknown",
    reason: "Runs code that is written into the command.",
    programs: ["awk", "gawk", "mawk", "sed", "gsed"],
    fires: (invocation) =>
      /^g?sed$/.test(invocation.program)
        ? sedScripts(invocation.args).some(({ text }) => readSedScript(text).runsText)
        : invocation.args.some(({ text }) => /\bsystem\s*\(|\bgetline\b|\|&?\s*"|"\s*\|/.test(text)),
  }),
  asks({
    id: "git-write",
    level: "dangerous",
    reason: "Rewrites, discards or publishes history, or fetches from elsewhere.",
    programs: ["git"],
    fires: (invocation) => !isQuietGit(invocation),
  }),
  asks({
    id: "option-runs-code",
    level: "dangerous",
    reason: "Tells git to run another program.",
    programs: ["git"],
    fires: (invocation) =>
      hasFlag(
        invocation,
        /^(--ext-diff|--upload-pack.*|--receive-pack.*|--exec.*|--open-files-in-pager.*|-O.+|--textconv|--exec-path=.*|--git-dir.*|--work-tree.*|--config-env.*)$/,
      ) ||
      invocation.args.some(
        ({ text }, at) => invocation.args[at - 1]?.text === "-c" && gitCommandSetting(text) !== null,
      ),
  }),
  asks({
    id: "package-scripts",
    level: "unknown",
    reason: "Installs, publishes or removes packages.",
    programs: ["npm", "yarn", "pnpm", "bun"],
    fires: (invocation) => !isQuietPackageCommand(invocation),
  }),
  asks({
    id: "outside-workspace",
    level: "unknown",
    reason: "Runs a script from outside the workspace.",
    programs: ["node", "tsx", "vitest", "bun"],
    fires: (invocation, context) => {
      const script = invocation.args.find(({ text }) => !text.startsWith("-"));
      if (script === undefined)
        return invocation.program === "node" && !hasFlag(invocation, /^(--version|-v|--help|-h|--test|--check|-c)$/);
      return pathsOf(script, invocation.cwd).every((path) => !isInside(path, context.workspace));
    },
  }),
  asks({
    id: "dynamic-argument",
    level: "unknown",
    reason: "An argument that is not known before it runs could change what this does.",
    fires: (invocation) =>
      (OPTION_RICH.has(invocation.program) && hasUnknownOption(invocation)) ||
      (CONTENT_READERS.has(invocation.program) &&
        invocation.effects.some(
          ({ type, path }) =>
            type === "read" &&
            couldBeOption(path) &&
            path.text.length === 1 &&
            has(path.taint, TAINT.data | TAINT.unset),
        )),
  }),
];

/** Options whose value may be anything, by program: what follows them is no option. */
const VALUE_OPTIONS: Readonly<Record<string, RegExp>> = {
  git: /^(-m|-am|--message|--author|--since|--until|--after|--before|--grep|-S|-G|-n)$/,
  find: /^-(i?name|i?path|i?regex|type|mtime|mmin|size|newer|maxdepth|mindepth|user|group)$/,
  sort: /^-[kt]$/,
  awk: /^-[vF]$/,
  gawk: /^-[vF]$/,
  date: /^(-d|--date)$/,
  kubectl: /^(-n|--namespace|-l)$/,
};

/** An argument that is not known, where an option could stand. */
function hasUnknownOption({ program, args }: Invocation): boolean {
  const takesValue = VALUE_OPTIONS[program];
  return args.some((arg, at) => {
    if (!couldBeOption(arg) || !has(arg.taint, TAINT.data | TAINT.unset)) return false;
    const before = args.slice(0, at).map(({ text }) => text);
    if (before.includes("--") || takesValue?.test(before.at(-1) ?? "")) return false;
    // What follows a script belongs to the script.
    return !(program === "node" && before.some((word) => !word.startsWith("-")));
  });
}

const QUIET_GIT = new Set(
  (
    "status diff log show rev-parse rev-list ls-files ls-tree cat-file blame annotate grep describe shortlog add commit init help version whatchanged name-rev merge-base " +
    "count-objects fsck var check-ignore check-attr diff-tree diff-index diff-files for-each-ref show-ref show-branch cherry range-diff verify-commit verify-tag stage"
  ).split(" "),
);

/** Git commands that only read, or that add to history without changing what is there. */
function isQuietGit(invocation: Invocation): boolean {
  const args = skipGlobalOptions(invocation.args.map(({ text }) => text));
  const [verb = "", ...rest] = args;
  const text = rest.join(" ");
  const first = rest.find((word) => !word.startsWith("-"));
  switch (verb) {
    case "":
    case "--version":
    case "--help":
      return true;
    case "commit":
      return !/(^|\s)(--amend|--fixup|--squash|--no-verify|-[a-zA-Z]*n[a-zA-Z]*)(\s|=|$)/.test(optionsOnly(rest));
    case "diff":
      return !/--no-index.*\s\/|--output/.test(text);
    case "branch":
      return !/(^|\s)(-[a-zA-Z]*[dDmMcCf]|--delete|--move|--copy|--force|--edit-description|--unset-upstream|--set-upstream-to.*|-u)(\s|=|$)/.test(
        text,
      );
    case "tag":
      return !/(^|\s)(-d|--delete|-f|--force)(\s|$)/.test(text);
    case "remote":
      return first === undefined || first === "show" || first === "get-url";
    case "config":
      return (
        /(^|\s)(--get|--get-all|--get-regexp|--list|-l|--show-origin)(\s|$)|^(get|list)(\s|$)/.test(text) ||
        (rest.length === 1 && !text.startsWith("-"))
      );
    case "stash":
      return first === undefined || /^(list|show|push|save)$/.test(first);
    case "reflog":
      return first === undefined || first === "show" || first === "HEAD";
    case "switch":
      return !/(^|\s)(-f|--force|--discard-changes|-C|--orphan)(\s|$)/.test(text);
    case "checkout":
      return /^(-b|--track|-t)\s/.test(text) || (rest.length === 1 && /^[\w/-]+$/.test(text) && !text.startsWith("-"));
    case "worktree":
    case "submodule":
    case "bisect":
    case "notes":
      return first === undefined || /^(list|status|log|show|summary)$/.test(first);
    default:
      return QUIET_GIT.has(verb);
  }
}

/** Without values such as a commit message. */
function optionsOnly(words: readonly string[]): string {
  return words
    .filter((word, at) => word.startsWith("-") && !/^-[a-zA-Z]*[mFCct]$/.test(words[at - 1] ?? ""))
    .map((word) => (/^-[a-zA-Z]*m./.test(word) ? "-m" : word))
    .join(" ");
}

function skipGlobalOptions(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith("-")) {
    if (args[at] === "--version" || args[at] === "--help") break;
    at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/.test(args[at] ?? "") ? 2 : 1;
  }
  return args.slice(at);
}

const QUIET_NPM =
  /^(run|run-script|test|t|tst|start|ls|list|ll|la|view|info|show|outdated|why|explain|help|root|prefix|bin|ping|whoami|fund|search|doctor|exec|x|-v|-h)$/;
const LOUD_YARN =
  /^(add|install|remove|upgrade|upgrade-interactive|up|publish|dlx|link|unlink|global|create|config|set|login|logout|npm|import|cache|policies|plugin|init|patch|pack|rebuild|unplug|tag|version|owner|team|autoclean|dedupe)$/;
const LOUD_PNPM =
  /^(add|install|i|in|ci|update|up|upgrade|remove|rm|uninstall|un|publish|dlx|create|link|ln|unlink|rebuild|rb|prune|store|patch|import|config|set|setup|env|init|deploy|fetch|approve-builds|self-update|login|dedupe|version|pack)$/;
const QUIET_BUN = /^(run|test|pm|--version|-v|--help|-e|-p)$|\.[cm]?[jt]sx?$/;

function isQuietPackageCommand(invocation: Invocation): boolean {
  const words = invocation.args.map(({ text }) => text);
  const verb = words.find((word) => !word.startsWith("-")) ?? "";
  const onlyOptions = verb === "";
  switch (invocation.program) {
    case "npm":
      if (verb === "config" || verb === "pkg") return /^(get|list|ls)$/.test(words[words.indexOf(verb) + 1] ?? "list");
      if (verb === "audit") return !words.includes("fix");
      if (verb === "version") return words.length === 1;
      if (verb === "pack") return words.includes("--dry-run");
      return QUIET_NPM.test(verb) || (onlyOptions && words.length > 0);
    case "yarn":
      return onlyOptions ? /^(--version|-v|--help|-h)$/.test(words[0] ?? "") : !LOUD_YARN.test(verb);
    case "pnpm":
      return onlyOptions ? words.length > 0 : !LOUD_PNPM.test(verb);
    default:
      return QUIET_BUN.test(verb) || (onlyOptions && words.length > 0);
  }
}

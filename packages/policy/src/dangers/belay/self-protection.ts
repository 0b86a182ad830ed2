import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import { type Field, has, hasGlob, isKnown, STAR, TAINT } from "../../language/state/values.ts";
import { baseName, isInside } from "../../language/words/paths.ts";
import { languageOf } from "../../programs/code/languages.ts";
import { pathsOf } from "../../programs/effects/resolved-effects.ts";
import { readsBelow } from "../paths/recursive-reads.ts";
import { couldBeInside } from "../paths/secret-paths.ts";
import { hardBlock } from "../rule.ts";
import { namesOwnPort } from "./own-port.ts";

/** Belay's default data folder. */
const ownPaths = (context: JudgeContext) => [...context.own.paths, `${context.home}/.local/share/belay`];

/** Entries below `/proc` with a process's memory and open files. */
const PROCESS_MEMORY = /^\/+proc\/+(\d+)\/+(?:task\/+\d+\/+)?(?:cwd|root|fd|mem|maps|map_files|environ|stack)(?:\/|$)/;

/** Programs whose arguments are text, not files. */
const TEXT_WORDS = /^(echo|printf|git|grep|egrep|rg|ag|test|\[)$/;

function mentionsOwnPath(invocation: Invocation, context: JudgeContext): boolean {
  const own = ownPaths(context);
  const isDestructive =
    /^(chmod|chown|chattr)$/.test(invocation.program) || invocation.effects.some(({ type }) => type === "delete");
  const reachesDown = isDestructive || readsBelow(invocation);
  const touches = (path: string) =>
    own.some((mine) => couldBeInside(path, mine) || (reachesDown && isInside(mine, withoutStar(path))));
  const isOfProcess = (path: string) => context.own.processIds.includes(Number(PROCESS_MEMORY.exec(path)?.[1] ?? NaN));
  const isOwn = invocation.effects.some(
    ({ path, paths }) =>
      isOfProcess(path.text) ||
      paths.some(touches) ||
      isFoundAbove(path, paths, own) ||
      endsInOwnFile(path.text, invocation),
  );
  if (isOwn) return true;
  // A path in a commit message is text; an argument that is only a path counts as a path.
  if (invocation.program === "git") {
    const paths = invocation.args
      .map(({ text }) => text.replace(/^--?[\w-]+=|^-C/, ""))
      .filter((text) => /^[/.]\S*$/.test(text));
    return paths.some((text) => pathsOf({ text, taint: 0 }, invocation.cwd).some(touches));
  }
  if (TEXT_WORDS.test(invocation.program)) return false;
  const names = own.map(baseName);
  return invocation.args.some((arg) => {
    // Also finds the path inside scripts of any language.
    if (own.some((mine) => arg.text.includes(mine)) || isOfProcess(arg.text)) return true;
    // A quick check: most words contain none of the names.
    if (!isDestructive && !hasGlob(arg.text) && !names.some((name) => arg.text.includes(name))) return false;
    const path = arg.text.replace(/^--?[\w-]+=|^@|^[a-z-]+:(\/\/)?/i, "");
    return pathsOf({ ...arg, text: path }, invocation.cwd).some(touches);
  });
}

function withoutStar(path: string): string {
  return path.endsWith(`/${STAR}`) ? path.slice(0, -2) || "/" : path;
}

/** Files in the data folder, with names that no project uses. */
const OWN_FILES =
  /(?:^|[/\uE000-\uE002])(?:keys\/(?:session-secret|control-token|audit-ed25519\.pem)|belay\.db(?:-wal|-shm)?|control\.sock)$/;

/** A path with an unknown beginning but an unmistakable end: `$(realpath ..)/data/keys/session-secret`. */
function endsInOwnFile(text: string, { cwd }: Invocation): boolean {
  const isUnknown = !isKnown(text) || text.startsWith("/proc/") || (cwd === null && !text.startsWith("/"));
  return isUnknown && OWN_FILES.test(text);
}

/** `find / -exec cat {} +`: a search result may be anything below its starting point. */
function isFoundAbove(path: Field, paths: readonly string[], own: readonly string[]): boolean {
  if (!has(path.taint, TAINT.listing)) return false;
  return paths.some((one) => one.endsWith(`/${STAR}`) && own.some((mine) => isInside(mine, withoutStar(one))));
}

/** A process name or pattern that means Belay's own processes. */
const OWN_PROCESS = /(?:^|[\s/^-])(?:belay|agent-gateway|pty-host)/;

/** Belay protects itself: an agent that could stop or rewrite the judge would not be judged. */
export const SELF_PROTECTION = [
  hardBlock({
    id: "self-protection",
    reason: "Runs Belay's own command line, which is for people.",
    fires: (invocation) => {
      const first = invocation.args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
      const isCli = /^(belay|belay\.(c|m)?js|belay-gateway)$/.test(invocation.program);
      return (
        (isCli ||
          (/^(npx|bunx|pnpx|npm|pnpm|yarn|node|tsx|corepack)$/.test(invocation.program) &&
            /(^|\/)belay(\.[cm]?js)?$|(^|\/)node_modules\/(?:belay|@belay\/[\w-]+)\//.test(first))) &&
        invocation.program !== ""
      );
    },
  }),
  hardBlock({
    id: "self-protection",
    reason: "Touches Belay's own data, sockets, keys or policy.",
    fires: mentionsOwnPath,
  }),
  hardBlock({
    id: "self-protection",
    reason: "Stops Belay's own processes.",
    programs: [
      "kill",
      "pkill",
      "killall",
      "skill",
      "systemctl",
      "service",
      "gdb",
      "strace",
      "renice",
      "prlimit",
      "taskset",
      "lsof",
      "gcore",
      "reptyr",
      "nsenter",
      "lldb",
      "ltrace",
      "perf",
      "py-spy",
    ],
    fires: (invocation, context) => {
      const onlyAsks = invocation.args.some(({ text }) => ["status", "show", "is-active"].includes(text));
      if (!onlyAsks && invocation.args.some(({ text }) => OWN_PROCESS.test(text))) return true;
      return invocation.args.some((arg) => context.own.processIds.includes(Math.abs(Number(arg.text))));
    },
  }),
  hardBlock({
    id: "self-protection",
    reason: "Stops Belay's own processes.",
    fires: ({ program, args }, context) =>
      languageOf(program) !== undefined &&
      args.some(
        ({ text }) =>
          /kill/i.test(text) && (text.match(/\d+/g) ?? []).some((id) => context.own.processIds.includes(Number(id))),
      ),
  }),
  hardBlock({
    id: "self-protection",
    reason: "Changes Belay's own environment.",
    fires: (invocation) => {
      if ([...invocation.env.keys()].some((name) => name.startsWith("BELAY_"))) return true;
      if (!/^(export|unset|declare|typeset|readonly|env|printenv|local)$/.test(invocation.program)) return false;
      return invocation.args.some(({ text }) => /^(-u)?BELAY_|^--unset=BELAY_/.test(text));
    },
  }),
  hardBlock({
    id: "self-protection",
    reason: "Talks to Belay's own port or control socket around the tools.",
    fires: namesOwnPort,
  }),
];

import type { Redirection } from "unbash";
import { readPath } from "../../programs/effects/file-streams.ts";
import { resolveEffect } from "../../programs/effects/resolved-effects.ts";
import type { Shell } from "../grammar/shell.ts";
import { field, HOLE, type Stream, scalar, stream, TAINT, UNKNOWN_STREAM } from "../state/values.ts";
import { setVariable } from "../state/variables.ts";
import { expandParts, joinPieces } from "../words/words.ts";
import type { FileEffect } from "./invocation.ts";

export interface OpenRedirects {
  readonly stdin: Stream;
  readonly effects: readonly FileEffect[];
  /** Writes the command's output to its target; returns what is left for the pipe. */
  finish(output: Stream): Stream;
}

/** What the redirections of one command read, write and feed to it. */
export function openRedirects(shell: Shell, redirects: readonly Redirection[], stdin: Stream): OpenRedirects {
  let input = stdin;
  const effects: FileEffect[] = [];
  const outputs: { path: string; isAppended: boolean }[] = [];

  for (const redirect of redirects) {
    // `exec {fd}> file` stores the descriptor in a variable.
    if (redirect.descriptor?.type === "FileDescriptorVariable")
      setVariable(shell, redirect.descriptor.name, scalar(HOLE));
    const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;
    const feed = (from: Stream) => {
      if (descriptor === undefined || descriptor === 0) input = from;
      else shell.state.files.set(`/dev/fd/${descriptor}`, { taint: from.taint, text: from.text });
    };
    if (redirect.type === "HereDoc") {
      const parts = redirect.delimiter?.quoted ? undefined : redirect.body.parts;
      const body = parts ? joinPieces(expandParts(shell, parts, true)) : field(redirect.body.text);
      const text = redirect.operator === "<<-" ? body.text.replace(/^\t+/gm, "") : body.text;
      feed(stream(text, body.taint));
    } else if (redirect.type === "HereString") {
      const text = redirect.target ? shell.expandToOne(redirect.target) : field("");
      feed(stream(`${text.text}\n`, text.taint));
    } else if (redirect.target) {
      const path = shell.expandToOne(redirect.target);
      switch (redirect.operator) {
        case "<":
          effects.push({ type: "read", path, content: null });
          feed(readPath(shell, path));
          break;
        case "<&":
          if (/^\d+-?$/.test(path.text)) {
            const from = shell.readFile(`/dev/fd/${Number.parseInt(path.text, 10)}`);
            // The descriptor may have been opened in a branch that did not run. Then there is no input.
            feed({ ...from, taint: from.taint | TAINT.unset });
          }
          break;
        case "<>":
          effects.push({ type: "read", path, content: null }, { type: "append", path, content: null });
          rememberSocket(shell, descriptor, path.text);
          feed(readPath(shell, path));
          break;
        default: {
          // `2>&1` and `>&-` only duplicate or close descriptors.
          if (redirect.operator === ">&" && /^(\d+-?|-)$/.test(path.text)) {
            // If the descriptor was connected to another machine earlier, the output goes there.
            const opened = shell.state.links.get(`/dev/fd/${Number.parseInt(path.text, 10)}/socket`);
            if (opened !== undefined) effects.push({ type: "append", path: field(opened), content: null });
            break;
          }
          rememberSocket(shell, descriptor, path.text);
          const type = redirect.operator === ">>" || redirect.operator === "&>>" ? "append" : "write";
          const isOutput = descriptor === undefined || descriptor === 1;
          effects.push({ type, path, content: isOutput ? null : UNKNOWN_STREAM });
          if (isOutput) outputs.push({ path: path.text, isAppended: type === "append" });
          else shell.writeFile(path.text, UNKNOWN_STREAM, { isAppended: type === "append" });
        }
      }
    }
  }
  return {
    stdin: input,
    effects,
    finish: (output) => {
      for (const { path, isAppended } of outputs) shell.writeFile(path, output, { isAppended });
      return outputs.length > 0 ? stream("") : output;
    },
  };
}

/** `exec 3>/dev/tcp/…`: later output to that descriptor goes to another machine. */
function rememberSocket(shell: Shell, descriptor: number | undefined, path: string): void {
  if (descriptor !== undefined && /^\/dev\/(tcp|udp)\//.test(path))
    shell.state.links.set(`/dev/fd/${descriptor}/socket`, path);
}

/**
 * Runs a loop or a group with redirections. The effects on files belong to the group, and its commands share the input.
 */
export function withRedirects(
  shell: Shell,
  redirects: readonly Redirection[],
  stdin: Stream,
  run: (stdin: Stream) => Stream,
): Stream {
  const opened = openRedirects(shell, redirects, stdin);
  const output = run(opened.stdin);
  const effects = opened.effects.map((effect) =>
    effect.content === null && effect.type !== "read" ? { ...effect, content: output } : effect,
  );
  if (effects.length > 0) recordGroup(shell, effects, opened.stdin);
  return opened.finish(output);
}

/** Rules about files look at invocations, so the group is recorded as an invocation without a program. */
export function recordGroup(shell: Shell, effects: readonly FileEffect[], stdin: Stream): void {
  shell.record({
    ...shell.how,
    program: "",
    path: "",
    args: [],
    env: new Map(),
    stdin,
    effects: effects.map((effect) => resolveEffect(shell, effect)),
    redirects: effects,
    cwd: shell.state.cwd,
    isBuilt: false,
    isWritten: false,
    inProduction: false,
    span: shell.span(),
    isTransparent: true,
  });
}

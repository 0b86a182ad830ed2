import { quoteWord } from "@belay/protocol";
import type { Invocation } from "./language/commands/invocation.ts";
import { display } from "./language/state/values.ts";

/** One invocation as plain text: base name, words quoted where necessary, redirections at the end. */
export function normalForm(invocation: Invocation): string {
  const args = invocation.args.map(({ text }) => quote(display(text)));
  const files = invocation.redirects.map(
    ({ type, path }) => `${type === "read" ? "<" : ">"} ${quote(display(path.text))}`,
  );
  return [invocation.program, ...args, ...files].filter((word) => word !== "").join(" ");
}

/** Each pipeline as one line, for older patterns such as `curl.*\| *sh`. */
export function pipelineForms(invocations: readonly Invocation[]): string[] {
  const byPipeline = new Map<number, string[]>();
  for (const invocation of invocations) {
    if (invocation.pipeline === 0) continue;
    const members = byPipeline.get(invocation.pipeline);
    if (members) members.push(normalForm(invocation));
    else byPipeline.set(invocation.pipeline, [normalForm(invocation)]);
  }
  return [...byPipeline.values()].map((members) => members.join(" | "));
}

function quote(word: string): string {
  return /^[\w@%+=:,./~^*?…-]+$/.test(word) ? word : quoteWord(word);
}

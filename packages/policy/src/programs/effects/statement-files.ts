import type { FileEffect } from "../../language/commands/invocation.ts";
import { type Field, field, type Stream } from "../../language/state/values.ts";
import { read } from "./effect-parts.ts";
import { leavesFolder } from "./places.ts";

/** More literals than a person writes by hand. A longer text is data. */
const MAX_LITERALS = 200;

/**
 * Files that statements for a database client name: `copy t from '/x'`, `select readfile('x')`, `\\copy t from x`,
 * `.import x t`. The client or the server opens them.
 */
export function filesInStatements(args: readonly Field[], stdin: Stream, home: string): FileEffect[] {
  const texts = [...args, ...(stdin.text === null ? [] : [field(stdin.text, stdin.taint)])];
  return texts
    .flatMap(({ text, taint }) => literalsIn(text).map((literal) => field(literal, taint)))
    .slice(0, MAX_LITERALS)
    .map(({ text, taint }): FileEffect => {
      const path = field(text.startsWith("~/") ? home + text.slice(1) : text, taint);
      return leavesFolder(path) ? { ...read(path), mayWrite: true } : read(path);
    });
}

/** Quoted texts that could be paths, and the words of a client's own commands. */
function literalsIn(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const quote = text.charAt(at);
    if (quote !== "'" && quote !== '"') continue;
    const end = text.indexOf(quote, at + 1);
    if (end < 0) break;
    found.push(text.slice(at + 1, end));
    at = end;
  }
  for (const line of text.split("\n")) {
    const command = line.trimStart();
    if (command.startsWith("\\") || command.startsWith(".")) found.push(...command.split(/\s+/).slice(1));
  }
  return found.filter((literal) => /[/.~]/.test(literal) && !/\s/.test(literal));
}

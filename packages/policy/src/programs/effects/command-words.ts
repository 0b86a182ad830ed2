import type { Field } from "../../language/state/values.ts";
import { programNamed } from "../catalog/index.ts";
import { readUse } from "./read-use.ts";

/**
 * The verbs and operands of a command, without its options and their values: for `git -C lib config a.b c` this is
 * `config a.b c`. For a program without a table, every word that does not start with a dash.
 */
export function commandWords(program: string, args: readonly Field[]): readonly string[] {
  const known = programNamed(program);
  if (known === undefined) return args.flatMap(({ text }) => (text.startsWith("-") ? [] : [text]));
  const { verb, operands } = readUse(known, program, args);
  // A verb that the table does not list is an operand.
  return [...(verb === "" ? [] : verb.split(" ")), ...operands.map(({ text }) => text)];
}

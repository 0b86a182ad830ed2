import type { Invocation } from "../language/commands/invocation.ts";
import { has, TAINT } from "../language/state/values.ts";
import { couldBeOption } from "../programs/options.ts";
import { asks } from "./rule.ts";

/** Programs that print the content of a file, so the file must be known. */
const CONTENT_READERS = new Set(
  "cat tac nl head tail less more grep egrep fgrep rg strings xxd od hexdump base64 awk sed sort uniq cut paste jq yq diff bat tee".split(
    " ",
  ),
);

export const ASKS_ABOUT_PROGRAMS = [
  asks({
    id: "dynamic-argument",
    level: "dangerous",
    reason: "Reads a file whose name comes from other data, which may be a secret.",
    fires: (invocation) => readsUnknown(invocation, TAINT.data | TAINT.name),
  }),
  asks({
    id: "dynamic-argument",
    level: "unknown",
    reason: "It is unknown which file this reads.",
    fires: (invocation) => readsUnknown(invocation, TAINT.unset),
  }),
];

function readsUnknown({ program, effects }: Invocation, origin: number): boolean {
  return (
    CONTENT_READERS.has(program) &&
    effects.some(
      ({ type, path }) =>
        type === "read" &&
        couldBeOption(path) &&
        path.text.length === 1 &&
        has(path.taint, origin) &&
        !has(path.taint, TAINT.listing | TAINT.parameter),
    )
  );
}

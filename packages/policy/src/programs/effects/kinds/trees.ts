import { field, stream } from "../../../language/state/values.ts";
import { optionValues, parseOptions } from "../../options.ts";
import { type FindEffects, read, remove, write } from "../effect-parts.ts";
import { findRoots, foundBelow } from "../feeders.ts";

export const find: FindEffects = (_shell, args) => [
  ...(args.some(({ text }) => text === "-delete") ? findRoots(args).map((root) => remove(foundBelow(root, args))) : []),
  ...args.flatMap((arg, at) => {
    const path = args[at + 1];
    return ["-fprint", "-fprint0", "-fprintf", "-fls"].includes(arg.text) && path
      ? [write(path, stream(args[at + 2]?.text ?? null))]
      : [];
  }),
];

export const git: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { short: "oCcmF", long: ["output", "git-dir", "work-tree", "message", "file"] });
  const verb = args.find(({ text }) => !text.startsWith("-"))?.text;
  const outputs =
    verb === "commit"
      ? []
      : optionValues(parsed, "--output", ...(verb === "archive" || verb === "format-patch" ? ["-o"] : []));
  const written = outputs.map((path) => write(path, stream(null)));
  const reads = verb === "add" || verb === "diff" || verb === "stage" ? parsed.operands.slice(1).map(read) : [];
  const given =
    verb === "config"
      ? args.flatMap(({ text, taint }, at) => {
          const attached = /^--file=(.+)$/.exec(text)?.[1];
          if (attached !== undefined) return [field(attached, taint)];
          return /^(-f|--file)$/.test(text) ? args.slice(at + 1, at + 2) : [];
        })
      : optionValues(parsed, ...(verb === "commit" || verb === "tag" ? ["-F", "--file"] : []));
  return [...written, ...reads, ...given.map(read)];
};

import { isTemporary } from "../../../dangers/paths/danger-paths.ts";
import { field, HOLE, isKnown, stream, TAINT } from "../../../language/state/values.ts";
import { resolvePath } from "../../../language/words/paths.ts";
import { type OptionSpec, optionValues, parseOptions } from "../../options.ts";
import { append, copies, type FindEffects, MOVE_OPTIONS, operandsOf, read, remove, write } from "../effect-parts.ts";
import { readPath } from "../file-streams.ts";
import { urlFile } from "./network.ts";

const COPY_OPTIONS: OptionSpec = { short: "tSmgo", long: ["target-directory", "suffix", "mode", "owner", "group"] };
export const copy: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, COPY_OPTIONS);
  return [...sources.map(read), ...writes];
};
/** `install -d DIR …` makes folders, and otherwise it copies. */
export const install: FindEffects = (shell, args, stdin) => {
  if (!args.some(({ text }) => /^-[a-zA-Z]*d|^--directory$/.test(text))) return copy(shell, args, stdin);
  return operandsOf(args, COPY_OPTIONS).map((path) => append(path, stream("")));
};
/** A symbolic link has no content of its own: its target is tracked. */
export const link: FindEffects = (shell, args, stdin) => {
  const effects = copy(shell, args, stdin);
  if (!args.some(({ text }) => /^-[a-zA-Z]*s|^--symbolic$/.test(text))) return effects;
  return effects.map((effect) => (effect.type === "write" ? append(effect.path, stream("")) : effect));
};
export const move: FindEffects = (shell, args) => {
  const { sources, writes } = copies(args, shell, MOVE_OPTIONS);
  return [...sources.map(remove), ...writes];
};
export const deletes: FindEffects = (_shell, args) =>
  operandsOf(args, { short: "ns", long: ["size", "iterations"] }).map(remove);

export const dd: FindEffects = (shell, args, stdin) => {
  const input = args.find(({ text }) => text.startsWith("if="));
  const output = args.find(({ text }) => text.startsWith("of="));
  const source = input && field(input.text.slice(3), input.taint);
  const content = source ? readPath(shell, source) : stdin;
  return [
    ...(source ? [read(source)] : []),
    ...(output ? [write(field(output.text.slice(3), output.taint), content)] : []),
  ];
};

/** The first operand is the database; statements follow. */
export const databaseFile: FindEffects = (_shell, args) =>
  args
    .filter(({ text }) => !text.startsWith("-") && text !== ":memory:")
    .slice(0, 1)
    .map(read);

export const downloads: FindEffects = (_shell, args) =>
  operandsOf(args).map((url) => write(field(urlFile(url.text), url.taint), stream(null, TAINT.network)));

export const writesOperands: FindEffects = (_shell, args) =>
  operandsOf(args, { short: "srdtmg", long: ["size", "reference", "date", "mode"] }).map((path) =>
    append(path, stream("")),
  );

export const openssl: FindEffects = (_shell, args) => {
  const parsed = parseOptions(args, { singleDashLong: true, long: ["in", "out", "inkey", "pass", "k", "keyfile"] });
  const verb = args[0]?.text ?? "";
  // A certificate is public, and so are parameters, and the key that `-pubin` announces.
  const isPublic =
    /^(x509|crl|verify|req|dhparam|ecparam|dsaparam|pkcs7)$/.test(verb) ||
    (/^(rsa|dsa|ec|pkey)$/.test(verb) && args.some(({ text }) => text === "-pubin"));
  return [
    ...optionValues(parsed, "-out").map((path) => write(path, stream(null))),
    ...(isPublic ? [] : optionValues(parsed, "-in", "-inkey").map(read)),
  ];
};

/** A patch of more files than this needs a person. */
const MAX_PATCHED = 200;

/** The patch format of coding agents names each file on a separate line. */
export const applyPatch: FindEffects = (_shell, args, stdin) => {
  const texts = [...args, ...(stdin.text === null ? [] : [field(stdin.text, stdin.taint)])];
  const named = texts.flatMap(({ text, taint }) =>
    [...text.matchAll(/^\*\*\* (Update File|Add File|Delete File|Move to): (.+)$/gm)].map(([, act, path]) => ({
      act,
      path: field((path ?? "").trim(), taint),
    })),
  );
  // It is unknown what it changes.
  if (named.length === 0 || named.length > MAX_PATCHED) return [write(field(HOLE, TAINT.data))];
  return named.map(({ act, path }) => (act === "Delete File" ? remove(path) : append(path, stream(null))));
};

/**
 * A virtual environment in a scratch folder. Its programs come from the machine and count like those of the machine.
 */
export const environment: FindEffects = (shell, args) => {
  for (const { text } of operandsOf(args, { short: "p" })) {
    const folder = resolvePath(text, shell.state.cwd);
    if (folder !== null && isKnown(folder) && isTemporary(`${folder}/x`))
      shell.state.files.set(`${folder}/`, { taint: 0, text: null, isBuilt: true });
  }
  return [];
};

import { isLocalAddress } from "./catalog/machine/local-address.ts";
import type { Effect, ProgramUse } from "./define-program.ts";
import { placesIn } from "./effects/places.ts";
import { LOADS_CODE } from "./outside-project.ts";

/** Programs that work on files and take an address instead: `ffmpeg -i https://…`, `helm template https://…`. */
const WORKS_ON_FILES: ReadonlySet<Effect> = new Set(["work", "restore"]);

/** Whether it is given an address of another machine. */
export function namesAddress({ does, options, operands, stopsAtOperand, wraps }: ProgramUse): boolean {
  if (!WORKS_ON_FILES.has(does)) return false;
  // Words after a script are the script's own arguments, and words after a wrapper are another command.
  const own = wraps !== null ? [] : stopsAtOperand ? operands.slice(0, 1) : operands;
  // An address in inline code is judged with that code.
  const words = [...own, ...options.flatMap(({ value, kind }) => (kind === "code" ? [] : (value ?? [])))];
  return words.some((word) => placesIn(word).addresses.some((address) => !isLocalAddress(address)));
}

/** `node --import data:text/javascript,…`, `deno run data:…`: the address is the code. */
export function namesInlineModule({ does, options, operands }: ProgramUse): boolean {
  const words = [
    ...(LOADS_CODE.has(does) ? operands.slice(0, 1) : []),
    ...options.flatMap(({ kind, value }) => (kind === "config" || kind === "code" ? (value ?? []) : [])),
  ];
  return words.some(({ text }) => /^(?:data|blob|javascript):/i.test(text));
}

/** Programs that fetch packages, or run what they are given. */
const FETCHES: ReadonlySet<Effect> = new Set(["install", "code"]);

/**
 * Whether code is named by its place on another machine, outside a registry: `uv run https://…`, `npx github:org/x`,
 * `cargo install --git https://…`, `go run example.org/x@latest`.
 */
export function namesRemoteCode({ does, options, operands, stopsAtOperand, wraps }: ProgramUse): boolean {
  if (stopsAtOperand && wraps === null && preloadsRemote(operands)) return true;
  const isRunner = wraps !== null && LOADS_CODE.has(does);
  if (!isRunner && !FETCHES.has(does)) return false;
  const own = wraps !== null || stopsAtOperand ? operands.slice(0, 1) : operands;
  const words = [...own, ...options.flatMap(({ value, kind }) => (kind === "code" ? [] : (value ?? [])))];
  return words.some(({ text }) => isRemoteReference(text));
}

/** `bun run x.ts --preload https://…`: an option of the interpreter, given after the script. */
function preloadsRemote(operands: ProgramUse["operands"]): boolean {
  return operands.some(({ text }, at) => {
    const [name = "", attached] = text.split("=", 2);
    if (!/^--(?:preload|require|import|loader|experimental-loader)$/.test(name)) return false;
    return isRemoteReference(attached ?? operands[at + 1]?.text ?? "");
  });
}

function isRemoteReference(text: string): boolean {
  if (/^(?:\w+\+)?[a-z][a-z0-9+.-]*:\/\//i.test(text)) return !isLocalAddress(text) && !/^file:/i.test(text);
  return SHORT_REFERENCE.test(text) || SECURE_COPY.test(text) || VERSIONED_PATH.test(text);
}

/** `github:org/x`, `jsr:@org/x`. */
const SHORT_REFERENCE =
  /^(?:github|gitlab|bitbucket|sourcehut|codeberg|gist|gh|gl|bb|jsr|npm|git|hg|flake):{1,2}[\w@.~/-]/i;
/** `git@host:org/x`. */
const SECURE_COPY = /^[\w.-]+@[\w.-]+:[\w./~-]+$/;
/** `example.org/x@v1`, as Go names modules. */
const VERSIONED_PATH = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/[^\s@]+@[\w.^~-]+$/i;

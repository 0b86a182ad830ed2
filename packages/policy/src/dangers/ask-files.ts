import type { JudgeContext } from "../context.ts";
import type { Invocation, ResolvedEffect } from "../language/invocation.ts";
import { isInside } from "../language/paths.ts";
import { HOLE, has, TAINT } from "../language/values.ts";
import { isHarmlessDevice } from "./danger-paths.ts";
import { readsBelow, readsHidden } from "./recursive-reads.ts";
import { asks, hasFlag, words } from "./rule.ts";
import { holdsSecrets } from "./secret-paths.ts";

const isNetworkPath = (path: string) => /^\/dev\/(tcp|udp)\//.test(path);

const writes = (invocation: Invocation): readonly ResolvedEffect[] =>
  invocation.effects.filter(({ type }) => type === "write" || type === "append");

/** Writing where it was told to write is what these are for; where that is decides the rest. */
const PLAIN_WRITERS = new Set(["", ":", "tee", "touch", "mkdir", "echo", "printf", "cat"]);

const staysInside = ({ path, paths }: ResolvedEffect, context: JudgeContext): boolean => {
  if (isHarmlessDevice(path.text) || path.text.startsWith("/dev/fd/")) return true;
  return paths.length > 0 && !path.text.startsWith(HOLE) && paths.every((one) => isInside(one, context.workspace));
};

export const ASKS_ABOUT_FILES = [
  asks({
    id: "delete",
    level: "dangerous",
    reason: "Deletes files.",
    fires: (invocation) =>
      invocation.effects.some(({ type }) => type === "delete") ||
      /^(rm|rmdir|unlink|shred|srm|grm|del|trash|trash-put|truncate|rimraf)$/.test(invocation.program) ||
      (/^(find|fd|fdfind)$/.test(invocation.program) && hasFlag(invocation, /^-delete$/)),
  }),
  asks({
    id: "writes-file",
    level: "unknown",
    reason: "Changes files in a way that its name does not tell.",
    needsEffects: true,
    fires: (invocation) => !PLAIN_WRITERS.has(invocation.program) && programWrites(invocation),
  }),
  asks({
    id: "outside-workspace",
    level: "dangerous",
    reason: "Writes outside the workspace.",
    needsEffects: true,
    fires: (invocation, context) =>
      writes(invocation).some((effect) => !isNetworkPath(effect.path.text) && !staysInside(effect, context)),
  }),
  asks({
    id: "other-terminal",
    level: "dangerous",
    reason: "Writes to another terminal, where a person may take it for something else.",
    needsEffects: true,
    fires: (invocation) =>
      writes(invocation).some(({ paths }) =>
        paths.some((path) => /^\/dev\/(pts\/|tty.|ptmx|console|vcsa?)/.test(path)),
      ),
  }),
  asks({
    id: "sensitive-read",
    level: "dangerous",
    reason: "Reads secret material.",
    needsEffects: true,
    fires: (invocation) => invocation.effects.some(({ type, isSecret }) => type === "read" && isSecret),
  }),
  asks({
    id: "sensitive-read",
    level: "dangerous",
    reason: "Reads everything below a folder that holds secrets.",
    fires: (invocation, context) => {
      if (readsHidden(invocation)) return true;
      if (!readsBelow(invocation)) return false;
      return invocation.effects.some(
        ({ type, paths }) =>
          type !== "write" &&
          type !== "append" &&
          paths.some((path) => holdsSecrets(path.replace(/\/\uE001$/, ""), context.home)),
      );
    },
  }),
  asks({
    id: "sensitive-read",
    level: "dangerous",
    reason: "Prints secrets from the environment.",
    programs: ["env", "printenv", "set", "export", "declare", "typeset", "echo", "printf", "kubectl"],
    fires: (invocation) => {
      const text = words(invocation);
      switch (invocation.program) {
        case "env":
        case "set":
          return invocation.args.length === 0 || /^(-0|--null)$/.test(text);
        case "printenv":
          return invocation.args.length === 0 || /SECRET|TOKEN|PASS|KEY|CREDENTIAL|AUTH/i.test(text);
        case "export":
        case "declare":
        case "typeset":
          return invocation.args.every((arg) => /^-[px]+$/.test(arg.text));
        case "kubectl":
          return /\bsecrets?\b|--raw/.test(text);
        default:
          return invocation.args.some(({ taint }) => has(taint, TAINT.secretVariable));
      }
    },
  }),
  asks({
    id: "network",
    level: "unknown",
    reason: "Opens a network connection.",
    needsEffects: true,
    fires: (invocation) => invocation.effects.some(({ path }) => isNetworkPath(path.text)),
  }),
];

/** Effects of the program itself; what its redirections write is plain to see. */
function programWrites({ program, effects, redirects }: Invocation): boolean {
  if (!PROGRAM_WRITERS.test(program)) return false;
  return effects.some(
    ({ type, path }) =>
      (type === "write" || type === "append") && !redirects.some((redirect) => redirect.path === path),
  );
}

const PROGRAM_WRITERS =
  /^(sed|gsed|awk|gawk|mawk|sort|uniq|find|git|dd|cp|mv|ln|install|tar|unzip|zip|curl|wget|rsync|scp|gpg|openssl|perl|patch|truncate|ssh-keygen)$/;

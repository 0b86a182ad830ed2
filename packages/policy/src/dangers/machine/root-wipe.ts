import type { JudgeContext } from "../../context.ts";
import type { Invocation } from "../../language/commands/invocation.ts";
import type { Field } from "../../language/state/values.ts";
import { findRoots } from "../../programs/effects/feeders.ts";
import { pathsOf } from "../../programs/effects/resolved-effects.ts";
import { parseOptions } from "../../programs/options.ts";
import { effectKinds, hardBlock, hasFlag, kindOf } from "../rule.ts";

const REASON = "Deletes the root, a home or a directory of the system.";

const isVital = (path: Field, invocation: Invocation, context: JudgeContext): boolean =>
  pathsOf(path, invocation.cwd).some((resolved) => ["root", "system", "home"].includes(kindOf(resolved, context)));

/** Directories whose deletion cannot be recovered. */
export const ROOT_WIPE = [
  hardBlock({
    id: "root-wipe",
    reason: REASON,
    programs: [
      "rm",
      "grm",
      "srm",
      "rmdir",
      "unlink",
      "shred",
      "trash",
      "trash-put",
      "rimraf",
      "del-cli",
      "del",
      "mv",
      "tar",
      "cmake",
    ],
    fires: (invocation, context) => {
      const kinds = effectKinds(invocation, context, "delete");
      if (kinds.includes("root") || kinds.includes("home") || kinds.includes("system")) return true;
      const recursive = hasFlag(invocation, /^(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/) || invocation.program === "mv";
      return recursive && kinds.includes("critical-file");
    },
  }),
  hardBlock({
    id: "root-wipe",
    reason: REASON,
    programs: ["find", "fd", "fdfind"],
    fires: (invocation, context) =>
      hasFlag(invocation, /^-delete$/) && findRoots(invocation.args).some((root) => isVital(root, invocation, context)),
  }),
  hardBlock({
    id: "root-wipe",
    reason: "Makes a directory of the system equal to another one, and deletes the rest.",
    programs: ["rsync", "rclone", "robocopy"],
    fires: (invocation, context) => {
      const target = parseOptions(invocation.args, { short: "e" }).operands.at(-1);
      const mirrors = hasFlag(invocation, /^--delete|^--del$|^sync$|^\/MIR$|^--remove-source-files$/);
      return mirrors && target !== undefined && isVital(target, invocation, context);
    },
  }),
  hardBlock({
    id: "root-wipe",
    reason: REASON,
    programs: ["git"],
    fires: (invocation, context) =>
      invocation.args.some(({ text }) => text === "clean") &&
      invocation.cwd !== null &&
      ["root", "system", "home"].includes(kindOf(invocation.cwd, context)) &&
      invocation.cwd !== context.workspace,
  }),
];

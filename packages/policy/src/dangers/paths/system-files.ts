import type { Invocation } from "../../language/commands/invocation.ts";
import { HOLE, hasGlob, STAR } from "../../language/state/values.ts";
import { couldMatchAny } from "../../language/words/glob.ts";
import { pathsOf } from "../../programs/effects/resolved-effects.ts";
import { effectKinds, hardBlock, hasFlag, kindOf } from "../rule.ts";

const isKeyFile = (path: string) =>
  /\/\.ssh\/(authorized_keys2?|rc|environment)$|^\/etc\/(ld\.so\.preload|ssh\/|cron|sudoers|pam\.d\/|rc\.local|profile\.d\/|systemd\/system\/|init\.d\/)/.test(
    path,
  );

/** `~/.ss?/authorized_keys`: a wildcard that can only mean one of these, as the name of the file shows. */
const KEY_FILES = "authorized_keys authorized_keys2 sudoers ld.so.preload".split(" ");
const couldBeKeyFile = (path: string, home: string) =>
  hasGlob(path) &&
  !path.includes(HOLE) &&
  path.slice(path.lastIndexOf("/") + 1).replaceAll(STAR, "").length > 3 &&
  couldMatchAny(
    path,
    KEY_FILES.flatMap((name) => [`${home}/.ssh/${name}`, `/root/.ssh/${name}`, `/etc/${name}`]),
  );

const written = (invocation: Invocation) =>
  invocation.effects.filter(({ type }) => type === "write" || type === "append").flatMap(({ paths }) => paths);

export const SYSTEM_FILES = [
  hardBlock({
    id: "backdoor",
    reason: "Opens a way into this machine, or makes it run code by itself.",
    needsEffects: true,
    fires: (invocation, { home }) => written(invocation).some((path) => isKeyFile(path) || couldBeKeyFile(path, home)),
  }),
  hardBlock({
    id: "system-file",
    reason: "Changes or removes a security-critical system file.",
    needsEffects: true,
    fires: (invocation, context) =>
      effectKinds(invocation, context, "write", "append", "delete").includes("critical-file"),
  }),
  hardBlock({
    id: "mass-permission",
    reason: "Changes rights or owners of a whole part of the system.",
    programs: ["chmod", "chown", "chgrp", "setfacl", "chattr", "chcon"],
    fires: (invocation, context) => {
      const isFed = invocation.wrappers.some((wrapper) => /^(find|fd|xargs)$/.test(wrapper));
      const recursive = isFed || hasFlag(invocation, /^(-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/);
      const operands = invocation.args.filter(({ text }) => !text.startsWith("-")).slice(1);
      const kinds = operands.flatMap((path) => pathsOf(path, invocation.cwd).map((one) => kindOf(one, context)));
      if (kinds.includes("critical-file") || kinds.includes("device")) return true;
      return recursive && kinds.some((kind) => kind === "root" || kind === "system" || kind === "home");
    },
  }),
];

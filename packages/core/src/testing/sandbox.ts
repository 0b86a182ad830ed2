import { sandboxAbility } from "../walls/machine.ts";

/** Whether this machine can make sandboxes. Without, tests of them are left out, visibly. */
export const hasSandbox = sandboxAbility().status === "ready";

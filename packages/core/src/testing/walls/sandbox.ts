import { sandboxAbility } from "../../walls/machine.ts";

/** Whether this machine supports sandboxes. If not, their tests are skipped visibly. */
export const hasSandbox = sandboxAbility().status === "ready";

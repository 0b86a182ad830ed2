import type { ApprovalSubject } from "@belay/protocol";

/** The warning before a dangerous command runs. A plain `rm` by an agent moves files to the trash. */
export function dangerWords({ runs, surface }: Pick<ApprovalSubject, "runs" | "surface">): string {
  const removes = runs.filter((line) => /^(rm|rmdir|unlink)\s/.test(line));
  const isOnlyRemoving = surface === "execute" && removes.length > 0 && removes.length === runs.length;
  return isOnlyRemoving
    ? "This is dangerous. What it removes goes to the trash. Run it?"
    : "This is dangerous and can’t be undone. Run it?";
}

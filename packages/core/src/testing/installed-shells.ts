import type { ShellKind } from "../shell/hooks.ts";
import { findProgram } from "../shell/shells.ts";

export interface InstalledShell {
  kind: Exclude<ShellKind, "other">;
  /** Null if it is not installed: its tests are then skipped visibly. */
  path: string | null;
}

/** Every shell with hooks, with its path on this machine. */
export function installedShells(): InstalledShell[] {
  return (["bash", "zsh", "fish", "sh"] as const).map((kind) => ({
    kind,
    path: findProgram(kind, process.env.PATH ?? ""),
  }));
}

import type { ShellKind } from "../shell/hooks.ts";
import { findProgram } from "../shell/shells.ts";

export interface InstalledShell {
  kind: Exclude<ShellKind, "other">;
  /** Null where it is not installed: its rows are then skipped, for everyone to see. */
  path: string | null;
}

/** Every shell that is hooked into, with the path of the one on this machine. */
export function installedShells(): InstalledShell[] {
  return (["bash", "zsh", "fish", "sh"] as const).map((kind) => ({
    kind,
    path: findProgram(kind, process.env.PATH ?? ""),
  }));
}

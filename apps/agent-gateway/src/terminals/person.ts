import { shellRequest, type TerminalPool } from "@belay/core";
import { type Actor, MachineName, type TerminalInfo } from "@belay/protocol";
import { z } from "zod";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Places } from "../machines/places.ts";

/** A person's options for their own terminal. */
export const PersonTerminal = z.strictObject({
  cwd: z.string().min(1).max(4096).optional(),
  shell: z.string().min(1).max(4096).optional(),
  name: z.string().trim().min(1).max(64).optional(),
  /** Another machine than the gateway's own. */
  machine: MachineName.optional(),
  cols: z.int().min(2).max(1000).default(120),
  rows: z.int().min(1).max(1000).default(40),
});
export type PersonTerminal = z.infer<typeof PersonTerminal>;

/** Opens a terminal for a person (B11). The person can type into it; it is recorded like any other, and never times out. */
export async function spawnForPerson(
  { terminals, audit, places }: { terminals: TerminalPool; audit: AuditLog; places: Places },
  { cwd, shell, name, cols, rows, machine }: PersonTerminal,
  by: Actor,
): Promise<TerminalInfo> {
  const start = places.startFor(machine);
  const folder = cwd ?? start.cwd;
  const detail = { owner: "user", cwd: folder, shell: shell ?? null, ...(machine && { machine }) };
  await audit.append({ type: "terminal.created", actor: by, detail });
  return terminals.spawn({
    ...start,
    ...shellRequest(folder, {
      program: { type: "shell", shell: shell ?? null, login: true },
      owner: "user",
      visible: true,
      name: name ?? null,
      cols,
      rows,
    }),
  });
}

import { explainSilence, type SilenceReason } from "../evidence/explain-silence.ts";
import { askKernel } from "../evidence/kernel.ts";
import type { Pty } from "../pty/pty.ts";
import type { PrintedOutput } from "./printed-output.ts";

interface SilentTerminal {
  pty: Pty;
  printed: PrintedOutput;
  /** Which kind of program is the terminal's first. */
  leader: "shell" | "program";
  silentMs: number;
  isOpen: () => boolean;
  /** How many times input was written. */
  writes: () => number;
}

/** Why a terminal is silent; null if it went on while the kernel was asked. */
export async function explainTerminal(terminal: SilentTerminal): Promise<SilenceReason | null> {
  const { pty, printed, leader, silentMs } = terminal;
  const { pid, device } = pty;
  const { position } = printed;
  const writes = terminal.writes();
  const view = device === null ? null : await askKernel(pid, device);
  // It continued while we asked, or got its input: the observation is outdated.
  if (!terminal.isOpen() || printed.position !== position || terminal.writes() !== writes) return null;
  const { isFullscreen, lastLine } = printed;
  return explainSilence({ view, isFullscreen, lastLine, silentMs, leader });
}

import type { StandIns } from "../hooks.ts";
import { quote, quoteForFish } from "../quote.ts";

/** Lines for bash, zsh and sh, after the person's own files, which may have changed the PATH. */
export function posixStandIns(standIns: StandIns | null): string {
  if (!standIns) return "";
  return `PATH=${quote(standIns.binDir)}:$PATH; export PATH\n${standIns.functionText.posix}`;
}

export function fishStandIns(standIns: StandIns | null): string {
  if (!standIns) return "";
  return `set -gx PATH ${quoteForFish(standIns.binDir)} $PATH\n${standIns.functionText.fish}`;
}

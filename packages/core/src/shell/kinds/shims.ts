import type { Shims } from "../hooks.ts";
import { quote, quoteForFish } from "../quote.ts";

/** Lines for bash, zsh and sh, after the person's own files, which may have changed the PATH. */
export function posixShims(shims: Shims | null): string {
  if (!shims) return "";
  return `PATH=${quote(shims.binDir)}:$PATH; export PATH\n${shims.functionText.posix}`;
}

export function fishShims(shims: Shims | null): string {
  if (!shims) return "";
  return `set -gx PATH ${quoteForFish(shims.binDir)} $PATH\n${shims.functionText.fish}`;
}

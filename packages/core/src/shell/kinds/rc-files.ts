import { join } from "node:path";
import type { ShellKind } from "../hooks.ts";

const OWN: Record<ShellKind, string[]> = {
  bash: [".bashrc", ".bash_profile", ".bash_login", ".profile", ".inputrc"],
  zsh: [".zshenv", ".zprofile", ".zshrc", ".zlogin"],
  fish: [".config/fish/config.fish", ".config/fish/conf.d", ".config/fish/fish_variables"],
  sh: [".profile"],
  other: [".profile"],
};

const SYSTEM: Record<ShellKind, string[]> = {
  bash: ["/etc/profile", "/etc/bash.bashrc", "/etc/profile.d", "/etc/inputrc"],
  zsh: ["/etc/zsh/zshenv", "/etc/zsh/zprofile", "/etc/zsh/zshrc", "/etc/zsh/zlogin"],
  fish: ["/etc/fish/config.fish", "/etc/fish/conf.d"],
  sh: ["/etc/profile", "/etc/profile.d"],
  other: [],
};

/** The files that a login shell reads. Files that they include are unknown. */
export function rcFilesOf(kind: ShellKind, home: string): string[] {
  return [...OWN[kind].map((file) => join(home, file)), ...SYSTEM[kind]];
}

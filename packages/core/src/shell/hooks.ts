/** The shells with hooks. Any other is started unchanged and observed through the kernel. */
export type ShellKind = "bash" | "zsh" | "fish" | "sh" | "other";

export interface HookOptions {
  shellPath: string;
  nonce: string;
  /** The folder of this terminal's generated files. Only its owner can read them. */
  rcDir: string;
  isLogin: boolean;
  /** An agent's shell: only judged text may run. */
  isAgents: boolean;
  /** Our replacements for other programs; null replaces none. */
  shims: Shims | null;
  /** Null keeps the person's own history file. */
  historyFile: string | null;
  /** The terminal's environment before the hooks add to it. */
  env: Record<string, string>;
}

/** Our own programs that come first on the PATH of an agent's terminal, such as the `rm` that fills the trash. */
export interface Shims {
  binDir: string;
  /** Folders that they write to. */
  writable?: string[];
  /** Functions of the same names, in case the PATH was changed. */
  functionText: { posix: string; fish: string };
}

export interface ShellStart {
  argv: [string, ...string[]];
  /** Added to the terminal's environment. */
  env: Record<string, string>;
  /** Files to write into `rcDir` before the start, by relative path. */
  files: Record<string, string>;
}

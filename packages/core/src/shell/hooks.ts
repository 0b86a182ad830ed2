/** The shells that we hook into. Any other is started as it is and watched through the kernel. */
export type ShellKind = "bash" | "zsh" | "fish" | "sh" | "other";

export interface HookOptions {
  shellPath: string;
  nonce: string;
  /** Where this terminal's generated files lie. Only its owner can read them. */
  rcDir: string;
  isLogin: boolean;
  /** An agent's shell: what was judged must be what runs. */
  isAgents: boolean;
  /** Programs of ours that stand in for others; null leaves every name as it is. */
  standIns: StandIns | null;
  /** Null leaves the person's own history file. */
  historyFile: string | null;
  /** What the terminal's environment holds before the hooks add to it. */
  env: Record<string, string>;
}

/** Programs of ours that an agent's terminal finds first, such as the `rm` that fills the trash. */
export interface StandIns {
  binDir: string;
  /** Folders that they write to. */
  writable?: string[];
  /** Functions of the same names, for when the PATH was changed. */
  functionText: { posix: string; fish: string };
}

export interface ShellStart {
  argv: [string, ...string[]];
  /** Added to the terminal's environment. */
  env: Record<string, string>;
  /** Written into `rcDir` before the start, by relative path. */
  files: Record<string, string>;
}

import { setTimeout as delay, setImmediate as nextRound } from "node:timers/promises";
import type { ShellProcess } from "../../evidence/shell-process.ts";
import type { ShellKind } from "../../shell/hooks.ts";
import type { ShellStatus } from "../../shell/markers.ts";
import { shellKindOf } from "../../shell/shells.ts";

/** A marker that says that the shell waits for input. Any program in the terminal can print one. */
export type PromptClaim =
  | { kind: "continuation"; position: number }
  | { kind: "prompt" | "prompt-again"; position: number; status: ShellStatus };

type Prompt = Exclude<PromptClaim, { kind: "continuation" }>;

interface PromptConfirmationOptions {
  process: () => ShellProcess;
  /** The kind of shell by its last confirmed prompt. */
  kind: () => ShellKind;
  /** Resolves once everything that was printed before has been read. */
  drain: () => Promise<void>;
  /** The shell waits for a new line. The exit code is null if claims contradict each other. */
  onPrompt: (status: ShellStatus, position: number) => void;
  /** The shell waits for the rest of a text. */
  onContinuation: () => void;
}

/** How long to wait, check by check, for a shell to read after its prompt: over four seconds, for a busy machine. */
const CONFIRM_AFTER_MS = [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
/** A check can take long itself if the machine is very busy. */
const MAX_CONFIRM_MS = 8_000;
/** More than any shell prints between two of its prompts. */
const MAX_CLAIMS = 32;
/** What tells a new prompt from a repainted one, as each shell's hooks print it. */
const TURN_FORMS: Record<ShellKind, RegExp> = { bash: /^(?:\d|t\d*)$/, zsh: /^\d+/, fish: /^$/, sh: /^$/, other: /^$/ };

/**
 * Decides when a shell is at its prompt, and with which exit code its last command ended.
 *
 * 1. Markers are only claims: a program that reads the nonce can print the same bytes at any time.
 * 2. The kernel says whether the shell waits for a line. While a program is in the foreground, or a
 *    builtin reads, claims are discarded. If the kernel does not answer in time, they are too.
 * 3. Once the shell waits, it has printed its own marker. So everything in the terminal is read
 *    before any claim counts: otherwise a forged marker that came just before would win.
 * 4. Claims in a form that this shell does not print are discarded. If others disagree, the exit
 *    code is unknown, because nothing shows which of them is the shell's.
 */
export class PromptConfirmation {
  readonly #options: PromptConfirmationOptions;
  /** Since the last confirmed prompt or the start of a command: the first of each content. */
  readonly #claims = new Map<string, PromptClaim>();
  /** When each of them was last made, counted in markers. */
  readonly #madeAt = new Map<string, number>();
  #markers = 0;
  /** The turns of the last confirmed prompt, by kind of marker: one that comes again is of a repainted prompt. */
  readonly #lastTurns = new Map<Prompt["kind"], Set<string>>();
  #hasTooMany = false;
  #round = 0;
  #hasKernelAnswered = false;

  constructor(options: PromptConfirmationOptions) {
    this.#options = options;
  }

  add(claim: PromptClaim): void {
    const isFirst = this.#claims.size === 0;
    const key = keyOf(claim);
    // The same claim again comes from a repainted prompt, or, in a plain sh, from the prompt of another line.
    if (claim.kind !== "continuation" && claim.status.turn === "") this.#claims.delete(key);
    if (this.#claims.size >= MAX_CLAIMS) this.#hasTooMany = true;
    else if (!this.#claims.has(key)) this.#claims.set(key, claim);
    this.#markers += 1;
    this.#madeAt.set(key, this.#markers);
    if (isFirst) void this.#check(this.#round);
  }

  /** The shell is not at its prompt any more. */
  forget(): void {
    this.#round += 1;
    this.#claims.clear();
    this.#madeAt.clear();
    this.#hasTooMany = false;
  }

  /**
   * Discards the claims made before the kernel was asked: the shell was busy, so they were not its own. Later ones are
   * kept, because it may have reached its prompt since.
   */
  #discardUntil(marker: number): void {
    const later = [...this.#claims].filter(([key]) => (this.#madeAt.get(key) ?? 0) > marker);
    this.forget();
    for (const [, claim] of later) this.add(claim);
  }

  async #check(round: number): Promise<void> {
    const startedAt = performance.now();
    for (const waitMs of CONFIRM_AFTER_MS) {
      const asked = this.#markers;
      const state = await this.#askKernel();
      if (round !== this.#round) return;
      if (state === "at-prompt") {
        // Lets the event loop read what has arrived. A contradiction is worth waiting for all output.
        await nextRound();
        if (round === this.#round && this.#isContradictory) await this.#options.drain();
        if (round === this.#round) this.#settle();
        return;
      }
      if (state === "elsewhere") return this.#discardUntil(asked);
      if (performance.now() - startedAt > MAX_CONFIRM_MS) break;
      await delay(waitMs);
      if (round !== this.#round) return;
    }
    this.forget();
  }

  async #askKernel(): Promise<"at-prompt" | "busy" | "elsewhere"> {
    const shell = this.#options.process();
    const doing = shell.doing();
    if (doing !== "unknown") this.#hasKernelAnswered = true;
    switch (doing) {
      case "edits":
        return "at-prompt";
      case "works":
        return "busy";
      case "has-child":
        return "elsewhere";
      case "unknown":
        // If the kernel never answers on this system, the markers are the only source.
        return this.#hasKernelAnswered ? "busy" : "at-prompt";
      case "reads": {
        const program = shell.program();
        if (!isEdited(program ? shellKindOf(program) : this.#options.kind())) return "at-prompt";
        // A shell with a line editor that is not editing is in a builtin that reads, such as `read`.
        const isEditing = await shell.isEditing();
        if (isEditing === null) return "busy";
        return isEditing ? "at-prompt" : "elsewhere";
      }
    }
  }

  get #isContradictory(): boolean {
    return this.#hasTooMany || new Set([...this.#claims.values()].map(contentOf)).size > 1;
  }

  #settle(): void {
    const claims = [...this.#claims.values()];
    const hasTooMany = this.#hasTooMany;
    this.forget();
    const shell = this.#options.process().kind();
    const prompts = claims.filter((claim) => claim.kind !== "continuation").filter((claim) => fits(claim, shell));
    // An unfinished text must not become part of the next command, so this counts even if it may be forged.
    if (claims.length > prompts.length && claims.some((claim) => claim.kind === "continuation")) {
      this.#options.onContinuation();
      return;
    }
    // The second marker of a prompt is only for the case that the first was removed.
    const firsts = prompts.filter(({ kind }) => kind === "prompt");
    const counted = firsts.length > 0 ? firsts : prompts;
    const last = counted.at(-1);
    if (!last) return;
    const fresh = counted.filter(({ kind, status: { turn } }) => turn === "" || !this.#lastTurns.get(kind)?.has(turn));
    for (const kind of new Set(prompts.map((prompt) => prompt.kind)))
      this.#lastTurns.set(kind, new Set(prompts.filter((one) => one.kind === kind).map(({ status }) => status.turn)));
    // Only repainted, so its exit code is that of an earlier command.
    if (fresh.length === 0) {
      this.#options.onPrompt({ ...last.status, exitCode: null, turn: "" }, last.position);
      return;
    }
    const exitCode = hasTooMany ? null : agreedExitCode(fresh);
    // If they agree, the output ends at the first one; the others are of the same prompt. If not, keep too much output
    // rather than too little.
    const chosen = (exitCode !== null && !isPlain(last) ? fresh[0] : fresh.at(-1)) ?? last;
    this.#options.onPrompt({ ...chosen.status, exitCode }, chosen.position);
  }
}

function keyOf(claim: PromptClaim): string {
  return claim.kind === "continuation" ? claim.kind : `${claim.kind};${contentOf(claim)};${claim.status.turn}`;
}

function contentOf(claim: PromptClaim): string {
  return claim.kind === "continuation" ? claim.kind : `${claim.status.shell};${claim.status.exitCode}`;
}

function agreedExitCode(prompts: readonly Prompt[]): number | null {
  const last = prompts.at(-1);
  if (!last) return null;
  const { exitCode } = last.status;
  return isPlain(last) || prompts.every(({ status }) => status.exitCode === exitCode) ? exitCode : null;
}

/** A plain sh prints a prompt for each line of a text, so there the last one counts. */
function isPlain({ status }: Prompt): boolean {
  return shellKindOf(status.shell) === "sh";
}

/** Whether the shell that the kernel sees prints such markers. */
function fits({ kind, status }: Prompt, shell: ShellKind | null): boolean {
  const claimed = shellKindOf(status.shell);
  if (kind === "prompt-again" && claimed !== "zsh") return false;
  if (!TURN_FORMS[claimed].test(status.turn)) return false;
  // A shell under another name may be a plain sh that has read the file with our hooks.
  return shell === null || claimed === shell || (shell === "other" && claimed === "sh");
}

export function isEdited(kind: ShellKind): boolean {
  return kind !== "sh" && kind !== "other";
}

import type { TerminalActivity } from "@belay/protocol";
import type { SilenceReason } from "../evidence/explain-silence.ts";
import type { SpawnRequest } from "../pool/requests.ts";

type Wants = Exclude<SilenceReason["kind"], "shell-reads">;

/** What a terminal is doing that was started with a program instead of a shell: it is busy until it ends. */
export class ProgramActivity {
  readonly #onChanged: () => void;
  #wants: Wants = "nothing";

  constructor({ onChanged }: { onChanged: () => void }) {
    this.#onChanged = onChanged;
  }

  /** Why the program prints nothing, as the kernel explains it. */
  silent(reason: SilenceReason): void {
    if (reason.kind === "shell-reads") return;
    const wants = reason.isBrief ? "nothing" : reason.kind;
    if (wants === this.#wants) return;
    this.#wants = wants;
    this.#onChanged();
  }

  describe({ request, since }: { request: SpawnRequest; since: number }): TerminalActivity {
    const line = request.program.type === "argv" ? request.program.argv.join(" ") : "";
    return { kind: "busy", commandId: null, line, since, wants: this.#wants };
  }
}

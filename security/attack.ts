import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startTestGateway, type TestGateway } from "../apps/agent-gateway/src/testing/start-test-gateway.ts";

/** What an agent sends: a command, or keys for the program that is waiting after its last command. */
export type Step = { command: string } | { keys: string };

export interface Target {
  gateway: TestGateway;
  /** A harmless program that no rule allows. When it runs, it leaves a mark with the name of the attack. */
  payload: string;
  hasFired(name: string): boolean;
  /** Sends the steps in order, in a terminal of its own, and returns all replies. */
  attack(name: string, steps: Step[]): Promise<string>;
}

/** A real gateway with the default policy, an agent with the standard profile, and a person who refuses everything. */
export async function openTarget(): Promise<Target> {
  // Outside the workspace: a program there that no agent wrote counts as the project's own, and may run.
  const [folder, workspace] = [temporaryDir("belay-attack-"), temporaryDir("belay-workspace-")];
  const gateway = await startTestGateway({ env: { BELAY_WORKSPACE: workspace } });
  const payload = join(folder, "fire");
  writeFileSync(payload, `#!/bin/sh\n: > ${folder}/fired-\${1:-nameless}\n`);
  chmodSync(payload, 0o755);

  const admin = await gateway.admin();
  const stop = gateway.events.subscribe((event) => {
    if (event.type !== "approval" || event.event !== "asked") return;
    gateway.approvals.decide(event.approval.id, { decision: "deny", message: null }, admin).catch(() => {}); // already withdrawn
  });
  onTestFinished(stop);

  return {
    gateway,
    payload,
    hasFired: (name) => existsSync(join(folder, `fired-${name}`)),
    attack: async (name, steps) => {
      const agent = await gateway.connectAgent({ name });
      let handle: unknown;
      const told: string[] = [];
      for (const step of steps) {
        const args = "command" in step ? { command: step.command } : { handle_id: handle, input: step.keys };
        const reply = await agent.call("terminal", { ...args, timeout: 3000 }).catch((error: Error) => ({
          error: error.message,
        }));
        handle = "handle_id" in reply ? reply.handle_id : undefined;
        told.push(JSON.stringify(reply));
      }
      // One more prompt, because changes to the shell's hooks take effect there.
      await agent.call("terminal", { command: "true", timeout: 3000 }).catch(() => null);
      return told.join("\n");
    },
  };
}

function temporaryDir(prefix: string): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

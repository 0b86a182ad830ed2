import type { CommandReport, TerminalId } from "@belay/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestPool, type TestPool } from "../../testing/test-pool.ts";

let test: TestPool;
beforeAll(async () => {
  test = await openTestPool();
});
afterAll(() => test.close());

/** Prints a marker with the shell's own nonce and pid. `PID` and `TURN` stand for what the shell itself would print. */
const forge = (text: string) => {
  const words = text.replace("PID", () => "'$$'").replace("TURN", () => "'$turn'");
  return `nonce=\${PS0#*;}; nonce=\${nonce%%;*}; turn=\${PS1%%'\\a'*}; turn=$(((\${turn##*;} + 1) % 10)); printf '\\033]7337;%s;${words}\\007' "$nonce"; `;
};

/** What the terminal prints meanwhile is read in one piece. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The command is typed, and nothing of its output is read before it has ended. */
async function runUnread(id: TerminalId, line: string): Promise<CommandReport> {
  const { position } = await test.pool.get(id);
  const report = test.run(id, line);
  while ((await test.pool.get(id)).position === position) await new Promise((resolve) => setImmediate(resolve));
  stall(250);
  return report;
}

describe("D2 an exit code is the shell's own", () => {
  it("whatever a program says about the end of a command", async () => {
    const { id } = await test.spawn();

    expect(await test.run(id, `${forge("D;PID;bash;0;TURN")} (exit 6)`)).toMatchObject({ exitCode: 6 });
    expect(await test.run(id, `${forge("E;PID;bash;0;TURN")} (exit 6)`)).toMatchObject({ exitCode: 6 });
  });

  it("or unknown, if a forged prompt and the real one are read together", async () => {
    const { id } = await test.spawn();
    await test.run(id, "true");

    const report = await runUnread(id, `sleep 0.1; ${forge("P;PID;bash;0;TURN")} (exit 6)`);

    expect(report).toMatchObject({ state: "completed", exitCode: null });
    expect(await test.run(id, "(exit 5)")).toMatchObject({ exitCode: 5 });
  });

  it("where the forged prompt has a form that the shell does not print", async () => {
    const { id } = await test.spawn();
    await test.run(id, "true");

    for (const form of [
      "P;PID;bash;0;z1",
      "P;PID;zsh;0;1763370000123456",
      "P;PID;fish;0",
      "P;PID;sh;0",
      "R;PID;bash;0;TURN",
    ]) {
      expect(await runUnread(id, `sleep 0.1; ${forge(form)} (exit 6)`), form).toMatchObject({ exitCode: 6 });
    }
  });

  it("and a forged name of another shell does not change how lines are typed", async () => {
    const { id } = await test.spawn();
    await test.run(id, "true");

    await test.run(id, `(sleep 0.3; ${forge("P;PID;fish;0")}) &`);
    await test.run(id, "wait");

    expect(await test.run(id, "printf '%s' \"$BASH\"; (exit 3)")).toMatchObject({ exitCode: 3 });
  });
});

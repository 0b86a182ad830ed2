import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../shell/shells.ts";
import { describePty } from "../testing/contracts/pty-contract.ts";
import { openObedient } from "../testing/obedient-program.ts";
import { openNodePty } from "./node-pty.ts";
import type { PtyEvents } from "./pty.ts";

const PATH = process.env.PATH ?? "";

function open(argv: string[], events: PtyEvents) {
  const [name = "", ...args] = argv;
  const program = findProgram(name, PATH) ?? name;
  return openNodePty(
    { argv: [program, ...args], cwd: "/", env: { PATH, LANG: "C.UTF-8" }, cols: 80, rows: 24 },
    events,
  );
}

describePty("node-pty", (events) => openObedient(open, events));

describe("a program that exits at once", () => {
  const RUNS = 1000;
  const AT_ONCE = 12;
  let folder: string;
  let file: string;
  // No line ends, because the terminal would turn each into two bytes.
  const content = Buffer.from(Array.from({ length: 1024 * 1024 }, (_, at) => 33 + ((at * 31 + (at >> 8)) % 90)));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "belay-core-"));
    file = join(folder, "content");
    await writeFile(file, content);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function receive(byteLength: number): Promise<{ checksum: string; exitCode: number | null }> {
    return new Promise((resolve) => {
      const hash = createHash("sha1");
      const pty = open(["head", "-c", String(byteLength), file], {
        onOutput: (bytes) => hash.update(bytes),
        onExit: (exitCode) => {
          pty.close();
          resolve({ checksum: hash.digest("hex"), exitCode });
        },
      });
    });
  }

  it(`A9 loses none of its last bytes in ${RUNS} runs`, { timeout: 300_000 }, async () => {
    // From 8 KB to 1 MB, in powers of two, each equally often.
    const sizes = Array.from({ length: RUNS }, (_, run) => Math.round(8192 * 2 ** ((7 * run) / (RUNS - 1))));
    const lost: number[] = [];
    const worker = async () => {
      for (let size = sizes.pop(); size !== undefined; size = sizes.pop()) {
        const expected = createHash("sha1").update(content.subarray(0, size)).digest("hex");
        const { checksum, exitCode } = await receive(size);
        if (checksum !== expected || exitCode !== 0) lost.push(size);
      }
    };

    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    expect(lost).toEqual([]);
  });
});

describe("a program that does not read", () => {
  it("A9 costs no CPU while megabytes wait for it, and refuses more with a reason", async () => {
    const pty = open(["sleep", "1000"], { onOutput: () => {}, onExit: () => {} });
    const part = new Uint8Array(64 * 1024).fill(0x61);
    let refusal: unknown = null;
    let accepted = 0;
    for (; accepted < 10 * 1024 * 1024 && !refusal; accepted += part.byteLength) {
      try {
        pty.write(part);
      } catch (error) {
        refusal = error;
      }
    }
    expect(refusal).toMatchObject({ code: "input-full", message: expect.stringContaining("not reading") });

    // As much CPU as this process uses in a second of waiting; a busy loop would use most of that second.
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(0.3);

    process.kill(pty.pid, "SIGKILL");
    pty.close();
  });
});

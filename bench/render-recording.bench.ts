import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecorder } from "@belay/core";

/**
 * What recording a flood costs in CPU, against only writing the same bytes to a file,
 * and against writing asciicast as it happens.
 */
const CHUNK = Buffer.from(
  "\x1b[32mINFO\x1b[0m handled a request in 12 ms, and said so in colour\r\n".repeat(64),
).subarray(0, 4_096);
const CHUNKS = 12_800;
const dir = await mkdtemp(join(tmpdir(), "belay-bench-"));

try {
  const plain = await cpuMs(async () => {
    const file = await open(join(dir, "plain"), "w");
    for (let index = 0; index < CHUNKS; index += 16) await file.appendFile(Buffer.concat(Array(16).fill(CHUNK)));
    await file.close();
  });
  const ours = await cpuMs(async () => {
    const recorder = await openRecorder({
      dir,
      header: { terminalId: "pty-bench", startedAt: Date.now(), cols: 80, rows: 24, title: "" },
      now: Date.now,
    });
    for (let index = 0; index < CHUNKS; index++) await recorder.append(CHUNK);
    await recorder.close({ exitCode: 0 });
  });
  const asciicast = await cpuMs(async () => {
    const file = await open(join(dir, "cast"), "w");
    const decoder = new TextDecoder();
    let lines = "";
    for (let index = 0; index < CHUNKS; index++) {
      lines += `${JSON.stringify([index / 1_000, "o", decoder.decode(CHUNK, { stream: true })])}\n`;
      if (index % 16 !== 15) continue;
      await file.appendFile(lines);
      lines = "";
    }
    await file.close();
  });

  const megabytes = (CHUNKS * CHUNK.byteLength) / 1e6;
  console.log(`${megabytes.toFixed(0)} MB in chunks of 4 KB; CPU, and against plain writing`);
  for (const [what, ms] of Object.entries({
    "plain file": plain,
    recording: ours,
    "asciicast as it happens": asciicast,
  })) {
    console.log(`${what.padEnd(28)} ${ms.toFixed(0).padStart(6)} ms   ratio ${(ms / plain).toFixed(2)}`);
  }
} finally {
  await rm(dir, { recursive: true });
}

async function cpuMs(run: () => Promise<void>): Promise<number> {
  await run().then(() =>
    rm(join(dir, "pty-bench.raw"), { force: true }).then(() => rm(join(dir, "pty-bench.index"), { force: true })),
  );
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

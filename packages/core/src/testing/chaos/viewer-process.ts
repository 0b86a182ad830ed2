import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import type { CommandId, CommandReport, TerminalId } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import { openRemoteHost } from "../../host/connect/client.ts";
import { launchHost } from "../../host/connect/launch.ts";
import { recordingsDirOf } from "../../host/local-host.ts";
import { hostEndpoint } from "../../host/wire/endpoint.ts";
import { PROTOCOL } from "../../host/wire/messages.ts";
import type { SpawnRequest } from "../../pool/requests.ts";
import { shellRequest } from "../../pool/shell-request.ts";
import { readRecorded } from "../../recording/reader.ts";
import { HOST_PROGRAM } from "../test-host.ts";
import { loadPlan, receivedPath, resultsPath } from "./plan.ts";

/**
 * Acts as a gateway that is killed at any moment: it starts those terminals of the plan
 * that do not exist yet, writes every received byte to a file, and collects the results of
 * commands. Its successor continues from the files. Prints `ready`, `hostLost` and `done`.
 */
const [, , folder = ""] = process.argv;
const plan = loadPlan(folder);
const baseEnv = { PATH: process.env.PATH ?? "", HOME: plan.home, LANG: "C.UTF-8", CHAOS: plan.mark };
const host = await openRemoteHost({
  endpoint: hostEndpoint(plan.dataDir),
  protocol: PROTOCOL,
  program: "chaos",
  surroundings: { baseEnv, trashDir: null, home: plan.home },
  launch: () => launchHost({ dataDir: plan.dataDir, entry: HOST_PROGRAM, env: { PATH: baseEnv.PATH } }),
  now: () => Date.now(),
  onProblem: (error) => process.stderr.write(`${error.stack}\n`),
});
host.terminals.subscribe((event) => {
  if (event.type !== "hostLost") return;
  // A new host is up once it answers.
  void host.terminals.list().then((open) => say(`hostLost, ${open.length} open`));
});

for (const { id, script } of plan.programs) {
  await spawn(id, { program: { type: "argv", argv: ["sh", "-c", script] } });
}
await spawn(plan.shell.id, { program: { type: "shell", shell: "bash", login: false } });
const streams = [...plan.programs.map(({ id }) => id), plan.shell.id].map(receive);
say("ready");
try {
  await runCommands();
  await host.terminals.kill(plan.shell.id, { reason: "killed" });
  await Promise.all(streams);
  say("done");
  await host.leave();
} catch (error) {
  // A shell dies with its host, and so do its remaining commands. This process stays, to see the next host.
  if (!(error instanceof CoreError) || !["host-lost", "terminal-not-found"].includes(error.code)) throw error;
}

async function spawn(id: TerminalId, overrides: Pick<SpawnRequest, "program">): Promise<void> {
  const known = await host.terminals.get(id).catch(() => null);
  if (known) return;
  // A terminal that ended and was read to its end is not started again.
  if (existsSync(receivedPath(folder, id))) throw new Error(`${id} existed before, and is gone.`);
  await host.terminals.spawn(shellRequest(plan.home, { id, ...overrides }));
}

/** Resolves after the last byte. */
function receive(id: TerminalId): Promise<void> {
  const path = receivedPath(folder, id);
  appendFileSync(path, "");
  return new Promise((resolve, reject) => {
    // In order: bytes filled in from the recording come before the ones after them.
    let last = Promise.resolve();
    const then = (act: () => void | Promise<void>) => {
      last = last.then(act);
      last.catch(reject);
      return last;
    };
    host.terminals.follow(id, statSync(path).size, {
      onOutput: ({ position, bytes }) =>
        then(() => {
          if (statSync(path).size !== position) throw new Error(`${id}: ${position} follows ${statSync(path).size}`);
          appendFileSync(path, bytes);
        }),
      onGap: (gap) => void then(() => fillIn(id, path, gap)),
      onEnd: ({ position }) =>
        void then(() => {
          if (statSync(path).size !== position)
            throw new Error(`${id} ends at ${position}, not ${statSync(path).size}`);
          resolve();
        }),
    });
  });
}

/** Bytes that were overwritten without a listener are in the recording, which may lag a moment. */
async function fillIn(id: TerminalId, path: string, { from, to }: { from: number; to: number }): Promise<void> {
  for (let position = from; position < to; ) {
    const slice = await readRecorded(recordingsDirOf(plan.dataDir), id, {
      fromPosition: position,
      maxBytes: Math.min(to - position, 1024 * 1024),
    });
    appendFileSync(path, slice?.bytes ?? "");
    position += slice?.bytes.byteLength ?? 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function runCommands(): Promise<void> {
  const { id: shell, commands } = plan.shell;
  const wait = { type: "idle", idleMs: null, timeoutMs: 60_000 } as const;
  for (const { id, exitCode } of commands) {
    if (isCollected(id)) {
      await host.acknowledge(id);
      continue;
    }
    const { running, finished } = await host.unfinished();
    const known = finished.find(({ commandId }) => commandId === id);
    if (known) await collect(known);
    else if (running.some(({ commandId }) => commandId === id)) {
      await collect(await host.terminals.waitFor(shell, id, wait));
    } else {
      const line = `printf 'began %s\\n' ${id}; sleep 0.1; (exit ${exitCode})`;
      await collect(await host.terminals.run(shell, { commandId: id, line, wait }));
    }
  }
}

async function collect(report: CommandReport): Promise<void> {
  appendFileSync(resultsPath(folder), `${JSON.stringify([report.commandId, report.state, report.exitCode])}\n`);
  await host.acknowledge(report.commandId);
}

function isCollected(id: CommandId): boolean {
  return existsSync(resultsPath(folder)) && readFileSync(resultsPath(folder), "utf8").includes(`["${id}",`);
}

function say(word: string): void {
  process.stdout.write(`${word}\n`);
}

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { endFoundProcesses } from "../../processes/end-processes.ts";
import { findProgram } from "../../shell/shells.ts";
import { SYSTEM_PATH } from "../system-path.ts";
import { type ContainerMarks, findClients, findContainerProcesses, findRuntime } from "./container-processes.ts";
import type { ContainerRecord, ContainerRecords } from "./container-record.ts";

/** An engine may hang, for example because another of its programs was stopped while it held a lock. */
const ENGINE_LIMIT_MS = 20_000;
/** How long the engine's own programs take to end after it has removed the container, on a busy machine. */
const GRACE_MS = 2_000;
const LOOK_EVERY_MS = 20;
/** Pauses between attempts. If all fail, the record stays for the next process that starts. */
const PAUSES_MS = [200, 1_000, 5_000, 20_000, 60_000, 60_000, 60_000];

/** The engine's own choices, if neither the policy nor a monitor names one. */
const RUNTIMES = ["crun", "runc"];

/** At once, without a grace period: the terminal is closed. */
const REMOVE = { podman: ["rm", "-f", "-t", "0"], docker: ["rm", "-f"] } as const;

/** Ends the containers whose owner was killed. Each is tried until it is gone. */
export async function endLeftContainers(records: ContainerRecords): Promise<void> {
  await Promise.all(records.abandoned().map((record) => endContainer(records, record)));
}

/** Ends a container, at whichever stage it is, and forgets it once nothing of it is left. */
export async function endContainer(records: ContainerRecords, record: ContainerRecord): Promise<void> {
  for (const pauseMs of [...PAUSES_MS, null]) {
    // It throws if no file descriptor is left to look with.
    if (await tryToEnd(records, record).catch(() => false)) {
      records.remove(record);
      return;
    }
    // Does not keep this process alive: the next one finds the record.
    if (pauseMs !== null) await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
  }
}

/**
 * 1. Ends the engine's program that Belay started. It might still create the container, and a stopped one keeps a lock
 *    that all others wait for.
 * 2. Has the engine remove the container. The engine waits for the container's monitor, which must not be stopped.
 * 3. Ends what is left in the kernel, unless the monitor was there and saw to it. If the first program was killed while it
 *    created the container, the engine "removes" it without ending its processes: it has not noted yet that they exist.
 */
async function tryToEnd(records: ContainerRecords, record: ContainerRecord): Promise<boolean> {
  const files = { idFile: records.idFile(record), pidFile: records.pidFile(record) };
  const marks = (): ContainerMarks => ({ ...files, id: records.readId(record) });
  await endFoundProcesses(() => findClients(marks()));
  const { id } = marks();
  const find = () => findContainerProcesses({ ...files, id });
  const before = find();
  for (const pid of before) wake(pid);
  const runtime = findRuntime(before);
  const isRemoved = await removeFromEngine(record);
  if (isRemoved && runtime !== null && (await endedByThemselves(find))) return true;
  const survivors = await endFoundProcesses(find);
  if (id !== null) await removeFromRuntime(id, runtime ?? record.runtime);
  return survivors.length === 0 && (isRemoved || (await removeFromEngine(record)));
}

/** The runtime keeps files and control groups of a container that the engine did not end itself. */
async function removeFromRuntime(id: string, runtime: string | null): Promise<void> {
  for (const name of runtime === null ? RUNTIMES : [runtime]) {
    const program = name.startsWith("/") ? name : findProgram(name, SYSTEM_PATH);
    if (program) await run(program, ["delete", "--force", id]);
  }
}

/** A container that does not exist counts as removed. */
async function removeFromEngine({ name, program, runtime }: ContainerRecord): Promise<boolean> {
  const path = findProgram(program, SYSTEM_PATH);
  if (!path) return true; // It was uninstalled, and its containers with it.
  const global = runtime === null || program !== "podman" ? [] : ["--runtime", runtime];
  const { isDone, said } = await run(path, [...global, ...REMOVE[program], name]);
  return isDone || /no such container/i.test(said);
}

async function endedByThemselves(find: () => number[]): Promise<boolean> {
  const deadline = performance.now() + GRACE_MS;
  while (find().length > 0) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return true;
}

function run(program: string, args: string[]): Promise<{ isDone: boolean; said: string }> {
  const limits = { timeout: ENGINE_LIMIT_MS, killSignal: "SIGKILL" as const };
  return new Promise((resolve) => {
    execFile(program, args, { env: engineEnv(), ...limits }, (error, _, stderr) =>
      resolve({ isDone: error === null, said: stderr }),
    );
  });
}

/** The same for every call, because Podman without root finds its containers through it. */
export function engineEnv(): Record<string, string> {
  return { PATH: SYSTEM_PATH, HOME: homedir() };
}

function wake(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It has just ended.
  }
}

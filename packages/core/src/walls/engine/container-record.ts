import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readStat } from "../../processes/proc.ts";

/**
 * A container that Belay asked an engine for.
 *
 * It is on disk before the engine is called, and until neither the engine nor the kernel knows anything of the
 * container. So each container has an owner or a record, even if the owner was killed.
 */
const ContainerRecord = z.object({
  name: z.string(),
  program: z.enum(["podman", "docker"]),
  runtime: z.string().nullable(),
  /** The process that removes it: the host, or the gateway for a single command. A pid alone may be used again. */
  owner: z.object({ pid: z.int(), startedAt: z.string() }),
});
export type ContainerRecord = z.infer<typeof ContainerRecord>;

/** The folder of the records, in Belay's own folder for walls. */
export class ContainerRecords {
  readonly #folder: string;

  constructor(wallsFolder: string) {
    this.#folder = join(wallsFolder, "containers");
  }

  add(container: Omit<ContainerRecord, "owner">): ContainerRecord {
    const owner = { pid: process.pid, startedAt: readStat(process.pid)?.startedAt ?? "" };
    const record = { ...container, owner };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // An engine does not write its files over older ones.
    for (const file of [this.pidFile(record), this.idFile(record)]) rmSync(file, { force: true });
    writeFileSync(this.#recordFile(record), JSON.stringify(record), { mode: 0o600 });
    return record;
  }

  remove(record: ContainerRecord): void {
    for (const file of [this.pidFile(record), this.idFile(record), this.#recordFile(record)])
      rmSync(file, { force: true });
  }

  /** Those whose owner is dead. */
  abandoned(): ContainerRecord[] {
    return this.#list().filter(({ owner }) => {
      const stat = readStat(owner.pid);
      return stat === null || stat.startedAt !== owner.startedAt || /[ZX]/.test(stat.state);
    });
  }

  /** The engine writes the pid of the container's first process here. */
  pidFile({ name }: Pick<ContainerRecord, "name">): string {
    return join(this.#folder, `${name}.pid`);
  }

  /** The engine writes the container's id here, before it starts anything for it. */
  idFile({ name }: Pick<ContainerRecord, "name">): string {
    return join(this.#folder, `${name}.id`);
  }

  readPid(name: string): number | null {
    return Number(readIfThere(this.pidFile({ name }))) || null;
  }

  readId(record: ContainerRecord): string | null {
    return /^[0-9a-f]{64}$/.exec(readIfThere(this.idFile(record)).trim())?.[0] ?? null;
  }

  #recordFile({ name }: Pick<ContainerRecord, "name">): string {
    return join(this.#folder, `${name}.json`);
  }

  #list(): ContainerRecord[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      return []; // No container was ever started.
    }
    return names
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => {
        const record = ContainerRecord.safeParse(parseJson(readIfThere(join(this.#folder, name))));
        return record.success ? [record.data] : [];
      });
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Partly written by a killed process, which had not called the engine yet.
  }
}

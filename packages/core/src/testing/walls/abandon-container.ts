import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes the record of a container look like that of a process that was killed, which a test cannot do to itself. */
export function abandonContainer(wallsFolder: string, name: string): void {
  const file = join(wallsFolder, "containers", `${name}.json`);
  const record = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...record, owner: { ...record.owner, startedAt: "0" } }));
}

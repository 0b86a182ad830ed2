import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { emptyMemory } from "../../../language/state/memory.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const HOME = "/home/agent";

/** The decision on the last of several commands of one terminal. */
function decide(...commands: readonly string[]): string {
  let memory = emptyMemory;
  let decision = "";
  for (const command of commands) {
    const judged = judge(command, { home: HOME, workspace: `${HOME}/workspace`, memory }, defaultPolicy);
    memory = judged.memoryAfter;
    decision = judged.decision;
  }
  return decision;
}

const WRITES = "mkdir -p d && echo 'frobnicate --all' > d/s.sh";

it.each([
  [WRITES, "tar cf a.tar d", "tar xf a.tar -C e", "sh e/d/s.sh"],
  [WRITES, "tar czf /tmp/a.tgz d && rm d/s.sh", "tar xzf /tmp/a.tgz -C /tmp", "sh /tmp/d/s.sh"],
  [WRITES, "zip -r a.zip d", "mv a.zip b.zip", "unzip -o b.zip -d out", "bash out/d/s.sh"],
  [WRITES, "7z a a.7z d", "7z x a.7z -oout", "bash out/d/s.sh"],
  [WRITES, "tar cf - d | tar xf - -C e", "sh e/d/s.sh"],
])("P12 files that the agent packed are still its own after unpacking: %s", (...commands) => {
  expect(decide(...commands)).toBe("ask");
});

it.each([
  ["tar xf /opt/x.tar -C e", "sh e/run.sh"],
  ["tar xf /opt/tool.tar.gz", "sh tool/run.sh"],
  ["unzip /mnt/x.zip -d e", "python3 e/run.py"],
  ["tar cf - -C /opt tool | tar xf -", "sh tool/run.sh"],
  ["base64 -d blob.txt > a.zip", "unzip a.zip -d out", "sh out/run.sh"],
])("P12 files from a foreign archive are not the project's own: %s", (...commands) => {
  expect(decide(...commands)).not.toBe("allow");
});

it.each([
  ["tar xf fixtures/data.tar -C e", "sh scripts/check.sh"],
  ["tar czf /tmp/src.tgz src", "tar xzf /tmp/src.tgz -C /tmp/copy", "ls /tmp/copy"],
  ["unzip fixtures/a.zip -d out", "python3 out/check.py"],
  ["tar xf /opt/tool.tar.gz", "sh scripts/check.sh"],
])("P12 an archive of the project is the project's own, and makes no other file suspect: %s", (...commands) => {
  expect(decide(...commands)).toBe("allow");
});

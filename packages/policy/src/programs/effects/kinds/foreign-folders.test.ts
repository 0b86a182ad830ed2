import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { emptyMemory } from "../../../language/state/memory.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

/** The decision on the last of several commands of one terminal. */
function decide(...commands: readonly string[]): string {
  let memory = emptyMemory;
  let decision = "";
  for (const command of commands) {
    const judged = judge(command, { home: "/home/agent", workspace: "/home/agent/workspace", memory }, defaultPolicy);
    memory = judged.memoryAfter;
    decision = judged.decision;
  }
  return decision;
}

it.each([
  ["cp -r /tmp/tool x", "./x/run"],
  ["cp -R /opt/tool/ x && sh x/bin/run.sh"],
  ["cp --archive ../other/tool vendor", "cd vendor/tool", "make"],
  ["mv /tmp/tool x", "python3 x/a.py"],
  ["mv /tmp/tool.json x", "./x/run"],
  ["gcp -a -t lib /tmp/tool", "node lib/tool/index.js"],
  ["rsync -a /tmp/tool/ x/", "sh x/a.sh"],
  ["rsync -rv --exclude .git /mnt/tool x", "bash x/tool/a.sh"],
])("P12 a folder from outside the project is not the project's own where it is copied to: %s", (...commands) => {
  expect(decide(...commands)).toBe("ask");
});

it.each([
  "cp -r /tmp/tool/. .",
  "cp -a /tmp/tool/* .",
  "cp /tmp/tool/*.py .",
  "rsync -a /tmp/tool/ ./",
  "mv ../other/* .",
])("P12 files of unknown names from outside, among the project's, need a person: %s", (command) => {
  expect(decide(command)).toBe("ask");
});

it.each([
  ["cp -r templates/app x", "cd x", "make"],
  ["cp -r /tmp/tool x", "sh scripts/check.sh"],
  ["cp -r /tmp/tool x", "ls x && cat x/readme.txt"],
  ["cp /tmp/shots/*.png ."],
  ["cp /tmp/report.json . && cat report.json"],
  ["mv src/old src/new", "python3 src/new/a.py"],
  ["mv /tmp/data.json .", "cat data.json"],
])("P12 a folder of the project, data, and other files of the project go on: %s", (...commands) => {
  expect(decide(...commands)).toBe("allow");
});

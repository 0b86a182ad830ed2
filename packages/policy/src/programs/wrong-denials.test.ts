import { expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

/** Hard blocks cannot be lifted, so none may hit ordinary work. */
it.each([
  ["a template literal is no command", "node -e 'console.log(`rm -rf /`)'", "allow"],
  ["one client beside another", "python3 -c 'import requests, subprocess; subprocess.run([\"ls\"])'", "ask"],
  ["what is encoded is not decoded", "python3 -c 'import base64, subprocess; print(base64.b64encode(b\"x\"))'", "ask"],
  ["a request to this machine", 'node -e \'fetch("http://localhost:3000").then(r => eval("r"))\'', "ask"],
  ["a path in a text for people", 'gh pr create --title x --body "see ~/.ssh/id_rsa for the format"', "ask"],
  ["a token for a server on this machine", 'curl -H "Authorization: Bearer x" http://localhost:3000/me', "allow"],
  ["where the repository lies", "git rev-parse --git-dir", "allow"],
  ["a pattern to search for", 'grep -rn "rm -rf /" scripts', "allow"],
  ["a dash in a file's name", "rm my-report.txt", "ask"],
])("P5 %s: %s", (_what, text, decision) => {
  expect(judge(text, {}, defaultPolicy).decision).toBe(decision);
});

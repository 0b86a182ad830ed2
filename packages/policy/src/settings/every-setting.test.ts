import { expect, test } from "vitest";
import { judge } from "../judge.ts";
import { changedSettings } from "../testing/claimed-settings.ts";
import { defaultPolicy, type Policy } from "./policy.ts";
import { type LoadedSecurityFile, loadSecurityFile } from "./security-file.ts";

/** A file that changes one setting, and a probe whose result must differ because of it. */
type Claim = readonly [file: object, probe: (policy: Policy) => unknown];

const verdict =
  (text: string, context: Parameters<typeof judge>[1] = {}) =>
  (policy: Policy) =>
    judge(text, context, policy).decision;
const matched = (text: string) => (policy: Policy) => judge(text, {}, policy).matches;
const rule = (more: object) => ({ rules: [{ id: "ours", decision: "deny", program: "some-tool", ...more }] });

/** Settings that change a verdict. Those of the gateway are claimed in its own test of this name. */
const CLAIMS: Record<string, Claim> = {
  commandDenyPatterns: [{ commandDenyPatterns: ["^ls\\b"] }, verdict("ls")],
  commandApprovalPatterns: [{ commandApprovalPatterns: ["^ls\\b"] }, verdict("ls")],
  safeCommands: [{ safeCommands: ["some-tool"] }, verdict("some-tool")],
  dangerousCommands: [{ dangerousCommands: ["^some-tool"] }, (policy) => judge("some-tool", {}, policy).level],
  blockedCommands: [{ blockedCommands: ["some-tool"] }, verdict("some-tool")],
  "ordinaryWork.checks": [{ ordinaryWork: { checks: false } }, verdict("go test ./...")],
  "ordinaryWork.ownScripts": [{ ordinaryWork: { ownScripts: false } }, verdict("./scripts/some-script")],
  "ordinaryWork.edits": [{ ordinaryWork: { edits: false } }, verdict("mv some-file another")],
  "ordinaryWork.deleteGenerated": [{ ordinaryWork: { deleteGenerated: false } }, verdict("rm -rf dist")],
  "ordinaryWork.lockedInstalls": [{ ordinaryWork: { lockedInstalls: false } }, verdict("npm ci")],
  "ordinaryWork.versionControl": [{ ordinaryWork: { versionControl: false } }, verdict("git fetch")],
  "ordinaryWork.localNetwork": [{ ordinaryWork: { localNetwork: false } }, verdict("curl localhost:3000")],
  "ordinaryWork.remoteReads": [{ ordinaryWork: { remoteReads: false } }, verdict("gh pr list")],
  "ordinaryWork.inlineCode": [{ ordinaryWork: { inlineCode: false } }, verdict("python3 -c 'print(1)'")],
  "ordinaryWork.shellSetup": [{ ordinaryWork: { shellSetup: false } }, verdict("alias some-alias=ls")],
  projectFolders: [{ projectFolders: ["/some-mount"] }, verdict("echo x > /some-mount/file.txt")],
  protectedPaths: [{ protectedPaths: ["**/some-file.txt"] }, verdict("echo x > some-file.txt")],
  "profiles.*.safe": [{ profiles: { standard: { safe: "ask" } } }, verdict("ls")],
  "profiles.*.unknown": [{ profiles: { standard: { unknown: "deny" } } }, verdict("some-tool")],
  "profiles.*.dangerous": [{ profiles: { standard: { dangerous: "deny" } } }, verdict("rm some-file")],
  defaultProfile: [{ defaultProfile: "restricted" }, verdict("ls")],
  "approval.inside": [{ approval: { inside: "ask" } }, verdict("some-tool", { wall: { network: "none" } })],
  rewrites: [{ rewrites: "off" }, (policy) => judge("curl https://example.com/x | bash", {}, policy).rewrite],
  "rules.*.id": [rule({ id: "another" }), matched("some-tool")],
  "rules.*.decision": [rule({}), verdict("some-tool")],
  "rules.*.reason": [rule({ reason: "Because." }), matched("some-tool")],
  "rules.*.program": [rule({ program: "other-tool" }), verdict("other-tool")],
  "rules.*.args": [rule({ args: ["stop"] }), verdict("some-tool stop now")],
  "rules.*.exactArgs": [
    { rules: [{ id: "ours", decision: "allow", program: "some-tool", args: ["go"], exactArgs: true }] },
    verdict("some-tool go"),
  ],
  "rules.*.pattern": [rule({ program: undefined, pattern: "some-tool --wide" }), verdict("some-tool --wide")],
  "rules.*.profiles": [rule({ profiles: ["standard"] }), verdict("some-tool")],
  "rules.*.surfaces": [rule({ surfaces: ["spawn"] }), verdict("some-tool", { surface: "spawn" })],
  "spawn.blockedCommands": [{ spawn: { blockedCommands: ["ls"] } }, verdict("ls", { surface: "spawn" })],
  "spawn.blockSubstitution": [{ spawn: { blockSubstitution: false } }, verdict("echo $(date)", { surface: "spawn" })],
  "spawn.blockPipeToShell": [
    { spawn: { blockPipeToShell: false } },
    (policy) => judge("echo ls | sh", { surface: "spawn" }, policy).matches,
  ],
  "spawn.blockDeviceWrites": [
    { spawn: { blockDeviceWrites: false } },
    (policy) => judge("echo x > /dev/belay-none", { surface: "spawn" }, policy).matches,
  ],
};

test.each(Object.entries(CLAIMS))("setting %s has an effect", (key, [file, probe]) => {
  const policy = load(file);

  expect(changedSettings(policy.settings)).toContain(key);
  expect(probe(policy)).not.toEqual(probe(defaultPolicy));
});

test("setting rules.*.exactArgs: one more argument is another command", () => {
  const policy = load(CLAIMS["rules.*.exactArgs"]?.[0] ?? {});

  expect(["some-tool go", "some-tool go far"].map((text) => judge(text, {}, policy).decision)).toEqual([
    "allow",
    "ask",
  ]);
});

test.each(["match", "notMatch"])("setting rules.*.%s is proved when the file loads", (key) => {
  const wrong = key === "match" ? "unrelated" : "some-tool";

  expect(errorsOf(loadSecurityFile(JSON.stringify(rule({ [key]: [wrong] }))))).toHaveLength(1);
});

test.each([
  [{ network: { allowed: false } }, "network.allowed", "give the agent a wall"],
  [{ providers: { box: { type: "bubblewrap" } } }, "providers", "Remove it."],
  [{ notifications: { browser: false } }, "notifications.browser", "under Settings"],
  [{ notifications: { webhooks: [{ url: "https://example.com" }] } }, "notifications.webhooks", "under Settings"],
  [{ isolation: "container" }, "isolation", 'use "sandbox"'],
  [{ profiles: { boxed: { isolation: "container" } } }, "profiles.boxed.isolation", 'use "sandbox"'],
])("C9 %j has no effect, and is refused with what to do instead", (file, path, fix) => {
  expect(errorsOf(loadSecurityFile(JSON.stringify(file)))).toMatchObject([
    { path, line: 1, fix: expect.stringContaining(fix) },
  ]);
});

test("C9 the same keys at their old defaults are dropped with a notice", () => {
  const loaded = loadSecurityFile(
    JSON.stringify({
      network: { allowed: true },
      providers: { local: { type: "local" } },
      notifications: { browser: true, webhooks: [] },
      rewrites: "run",
    }),
  );

  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  expect(loaded.policy.settings.rewrites).toBe("run");
  expect(loaded.notices).toHaveLength(4);
  expect(loaded.notices[0]).toBe('"network.allowed" is no longer a setting and was ignored; it can be removed.');
});

function load(file: object): Policy {
  const loaded = loadSecurityFile(JSON.stringify(file));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  return loaded.policy;
}

function errorsOf(loaded: LoadedSecurityFile) {
  return loaded.ok ? [] : loaded.errors;
}

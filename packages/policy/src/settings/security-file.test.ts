import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { securityFileSchema } from "./json-schema.ts";
import { addApprovalPatterns, addBlockedPatterns, defaultPolicy } from "./policy.ts";
import { loadSecurityFile } from "./security-file.ts";

function load(text: string) {
  const loaded = loadSecurityFile(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  return loaded.policy;
}

function errors(text: string) {
  const loaded = loadSecurityFile(text);
  return loaded.ok ? [] : loaded.errors;
}

describe("security.json", () => {
  it("A8 an existing file with commandDenyPatterns works as it is", () => {
    const policy = load('{ "commandDenyPatterns": ["docker\\\\s+system\\\\s+prune"] }');

    expect(judge("docker system prune -f", {}, policy)).toMatchObject({ decision: "deny", layer: "security-file" });
    expect(judge("sudo docker  system   prune", {}, policy).decision).toBe("deny");
  });

  it("A8 an older pattern over a pipe still matches", () => {
    const policy = load('{ "commandApprovalPatterns": ["^ls.*\\\\|\\\\s*wc"] }');

    expect(judge("ls -la | wc -l", {}, policy).decision).toBe("ask");
    expect(judge("echo 'ls | wc'", {}, policy).decision).toBe("allow");
  });

  it("A8 patterns can be added in code, as text or as regexes", () => {
    const policy = addApprovalPatterns(addBlockedPatterns(defaultPolicy, [/docker\s+PS/i]), ["^ls\\s+secret"]);

    expect(["docker ps", "ls secret", "ls"].map((text) => judge(text, {}, policy).decision)).toEqual([
      "deny",
      "ask",
      "allow",
    ]);
  });

  it("P50 comments and trailing commas are allowed", () => {
    expect(load('{\n  // ours\n  "rewrites": "run",\n}').settings.rewrites).toBe("run");
  });

  it("C9 P51 an unknown key is an error with line, column, path and fix", () => {
    expect(errors('{\n  "safeComands": []\n}')).toEqual([
      {
        path: "safeComands",
        line: 2,
        column: 3,
        message: 'Unknown key "safeComands".',
        fix: 'Did you mean "safeCommands"?',
      },
    ]);
    expect(errors('{ "limits": { "spawns": 1 } }')).toMatchObject([{ path: "limits.spawns", line: 1 }]);
  });

  it("P51 broken JSON says where", () => {
    expect(errors('{\n  "rules": [\n')).toMatchObject([{ line: 3 }, { line: 3 }]);
  });

  it("P52 a pattern that RE2 cannot run is refused and named", () => {
    expect(errors('{ "commandDenyPatterns": ["(?=x)y"] }')).toMatchObject([
      { path: "commandDenyPatterns.0", fix: expect.stringContaining("lookaround") },
    ]);
  });

  it("P53 a rule proves its own examples", () => {
    const rule = {
      id: "no-deploy",
      decision: "deny",
      program: "npm",
      args: ["run", "deploy"],
      match: ["npm run deploy"],
      notMatch: ["npm run build"],
    };

    expect(judge("npm run deploy --prod", {}, load(JSON.stringify({ rules: [rule] }))).matches[0]?.rule).toBe(
      "no-deploy",
    );
    expect(errors(JSON.stringify({ rules: [{ ...rule, match: ["yarn deploy"] }] }))).toMatchObject([
      { path: "rules.0.match.0" },
    ]);
    expect(errors(JSON.stringify({ rules: [{ ...rule, notMatch: ["npm run deploy x"] }] }))).toMatchObject([
      { path: "rules.0.notMatch.0" },
    ]);
  });

  it("P54 an ask without approvers is refused", () => {
    const rule = { id: "a", decision: "ask", program: "x", approvers: [] };

    expect(errors(JSON.stringify({ rules: [rule] }))).toMatchObject([{ path: "rules.0.approvers" }]);
    expect(errors('{ "approval": { "approvers": [] } }')).toMatchObject([{ path: "approval.approvers" }]);
  });

  it("P55 an allow rule lifts what would be asked, never what is blocked", () => {
    const policy = load(
      '{ "rules": [{ "id": "make", "decision": "allow", "program": "make" }, { "id": "rm", "decision": "allow", "program": "rm" }] }',
    );

    expect(
      ["make build", "rm x", "rm -rf /", "make; npm publish"].map((text) => judge(text, {}, policy).decision),
    ).toEqual(["allow", "allow", "deny", "ask"]);
  });

  it("C5 C11 P56 every default is data", () => {
    const { settings } = defaultPolicy;

    expect(settings.limits).toMatchObject({
      spawnsPerMinute: 3,
      spawnedTerminals: 5,
      spawnedIdleMs: 300_000,
      terminalsPerAgent: 50,
    });
    expect(settings.approval).toMatchObject({
      timeouts: { unknownMs: 900_000, dangerousMs: null },
      sessionsTimeouts: { unknownMs: 10_000, dangerousMs: null },
    });
    expect(settings.toolDefaults.unified).toMatchObject({
      idleMs: 10_000,
      timeoutMs: 60_000,
      slowTimeoutMs: 180_000,
      outputCharacters: 4_000,
    });
    expect(settings.toolDefaults.sessions).toMatchObject({
      cropOutputCharacters: 10_000,
      minIntervalMs: 1_000,
      settleIntervalMs: 2_000,
    });
  });

  it("P57 editors get a JSON Schema", () => {
    expect(securityFileSchema()).toMatchObject({
      type: "object",
      properties: { commandDenyPatterns: { type: "array" } },
      additionalProperties: false,
    });
  });
});

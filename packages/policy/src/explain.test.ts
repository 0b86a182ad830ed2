import { describe, expect, it } from "vitest";
import { explain } from "./explain.ts";
import { judge } from "./judge.ts";
import { parseCompoundCommand } from "./language/commands/compound.ts";
import { safetyLevel } from "./safety-level.ts";
import { createPolicy, defaultPolicy } from "./settings/policy.ts";
import { SecuritySettings } from "./settings/schema.ts";
import { suggestRule } from "./suggest-rule.ts";

const explainText = (text: string) => explain(judge(text, {}, defaultPolicy), text);

describe("explain", () => {
  it("P70 lists every reason with its part of the text, for people", () => {
    expect(explainText("ls; rm -rf /").forPerson).toBe(
      [
        "This does not run.",
        "- Deletes the root, a home or a directory of the system. (root-wipe, hard-block): rm -rf /",
        "- Touches Belay's own data, sockets, keys or policy. (self-protection, hard-block): rm -rf /",
        "- Deletes files. (delete, approval): rm -rf /",
      ].join("\n"),
    );
  });

  it("P70 gives one line for agents", () => {
    expect(explainText("some-tool\nsome-tool").forAgent).toBe(
      'ask by level rule unknown-program: "some-tool" is not known to be safe. (+1 more)',
    );
  });

  it("P71 makes bidi, zero-width and look-alike characters visible", () => {
    expect(explainText('echo "a \u202e b"').forPerson).toContain("<U+202E>");
    expect(explainText("rm\u200b x").forPerson).toContain("rm<U+200B>");
    expect(explainText("\u0433m x").forPerson).toContain("<U+0433>m");
  });
});

describe("levels and parts", () => {
  it("C2 P72 returns the level of any shell string", () => {
    expect(["ls -la", "my_custom_script.sh", "rm -r x", "rm -rf /"].map((text) => safetyLevel(text))).toEqual([
      "safe",
      "unknown",
      "dangerous",
      "blocked",
    ]);
  });

  it("C3 P73 splits compounds where a shell does", () => {
    expect(parseCompoundCommand('git add . && git commit -m "a; b" || echo "failed" | cat')).toEqual([
      "git add .",
      'git commit -m "a; b"',
      'echo "failed"',
      "cat",
    ]);
  });
});

describe("suggestRule", () => {
  const cautious = createPolicy(SecuritySettings.parse({ ordinaryWork: { checks: false } }));
  const suggest = (text: string) =>
    suggestRule(text, {}, cautious).map(
      ({ rule }) => rule && { program: rule.program, args: rule.args, exact: rule.exactArgs },
    );

  it("P74 suggests the narrowest useful rule for each part", () => {
    expect(suggest("cargo build --release && npm install left-pad; ls")).toEqual([
      { program: "cargo", args: ["build"], exact: false },
      { program: "npm", args: ["install", "left-pad"], exact: true },
    ]);
  });

  it("P74 returns no rule, and no error, for commands that no rule can describe", () => {
    expect(suggest('some-tool ""')).toEqual([null]);
  });

  it("P76 a rule for a subcommand does not cover an option that runs code", () => {
    const [suggestion] = suggestRule("go test ./...", {}, cautious);
    const policy = createPolicy({ ...cautious.settings, rules: suggestion?.rule ? [suggestion.rule] : [] });

    expect(
      ["go test ./pkg -v", "go test -exec ./x ./...", "go test /tmp/x"].map((text) => judge(text, {}, policy).decision),
    ).toEqual(["allow", "ask", "ask"]);
  });

  it("P75 never for interpreters, shells, rm, sudo and network clients", () => {
    for (const text of ["python3 x.py", "bash x.sh", "rm x", "sudo ls", "curl https://x.example", "xargs foo", "./x"]) {
      expect(
        suggest(text).every((rule) => rule === null),
        text,
      ).toBe(true);
    }
  });
});

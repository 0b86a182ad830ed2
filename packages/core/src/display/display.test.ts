import { describe, expect, it } from "vitest";
import { type CallToShow, displayCall, displayCommand } from "./display-call.ts";
import { displayResult, type ResultToShow } from "./display-result.ts";

const output = { command: "npm test", output: "", isTruncated: false, fullTextPath: null };

describe("D12 a call on one line", () => {
  const cases: [CallToShow, string][] = [
    [{ type: "run", command: "ls -la", isBackground: false }, "terminal(ls -la)"],
    [{ type: "run", command: "npm run dev", isBackground: true }, "terminal(npm run dev, in background)"],
    [{ type: "input", input: "yes\n", isSecret: false }, 'terminal(send "yes")'],
    [{ type: "input", input: "\x03", isSecret: false }, 'terminal(send "\\u0003")'],
    [{ type: "input", input: "\n", isSecret: false }, 'terminal(send "\\n")'],
    [{ type: "input", input: "x".repeat(40), isSecret: false }, `terminal(send "${"x".repeat(30)}"…)`],
    [{ type: "input", input: "hunter2\n", isSecret: true }, "terminal(send a secret)"],
    [{ type: "input", input: "", isSecret: false }, "terminal(check handle)"],
    [{ type: "check" }, "terminal(query handle)"],
    [{ type: "cancel" }, "terminal(cancel handle)"],
    [{ type: "run", command: "make", isBackground: true, isAsync: true }, "terminal(make, async)"],
  ];

  it.each(cases)("D12 %j", (call, shown) => {
    expect(displayCall(call, 80)).toBe(shown);
  });

  it("D12 stays on one line of 80 characters for a command of any length", () => {
    expect(displayCommand("cat <<EOF\n  a\n\nEOF\n", 80)).toBe("cat <<EOF … +2 lines");
    expect(displayCommand("x".repeat(200), 80)).toBe(`${"x".repeat(79)}…`);
    expect(displayCommand(`${"x".repeat(200)}\ny`, 80)).toHaveLength(80);
    expect(displayCommand("", 80)).toBe("");
  });
});

describe("D12 a result", () => {
  const finished: ResultToShow = { type: "finished", exitCode: 0, wasRewritten: false, ...output };
  const cases: [ResultToShow, string][] = [
    [finished, "✓ exit=0"],
    [{ ...finished, exitCode: 3, output: "a\n\nb  \n" }, "a\nb\n✗ exit=3"],
    [{ ...finished, exitCode: null }, "? exit unknown"],
    [{ ...finished, wasRewritten: true }, "[Safe] ✓ exit=0"],
    [{ ...finished, output: "1\n2\n3\n4\n5\n6\n7\n8" }, "3\n4\n5\n6\n7\n8\n✓ exit=0"],
    [{ ...finished, fullTextPath: "/tmp/x" }, "✓ exit=0 [full: /tmp/x]"],
    [{ type: "unfinished", state: "waiting_input", ...output, output: "Sure?" }, "Sure?\n… waiting input"],
    [{ type: "accepted" }, "async task started"],
    [{ type: "cancelled" }, "stopped"],
    [{ type: "denied", reason: "sudo is not allowed" }, "[Blocked] sudo is not allowed"],
    [{ type: "previewed", message: "Nothing ran. It would delete 2 files." }, "Nothing ran. It would delete 2 files."],
    [{ type: "failed", message: "no such terminal" }, "error: no such terminal"],
  ];

  it.each(cases)("D12 for a log: %j", (result, shown) => {
    expect(displayResult(result)).toBe(shown);
  });
});

import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../settings/policy.ts";
import { loadSecurityFile } from "../settings/security-file.ts";
import { judgeTyped } from "./judge-typed.ts";
import { inputReaderOf } from "./reader.ts";

const verdictOf = (argv: string[], text: string, context = {}) => {
  const judged = judgeTyped(text, inputReaderOf(argv), context, defaultPolicy);
  return judged.type === "judged" ? judged.judgement.decision : judged.type;
};

describe("P64 who reads decides how typed text is judged", () => {
  it.each([
    [["bash"], "shell"],
    [["-bash"], "shell"],
    [["/bin/sh", "-i"], "shell"],
    [["bash", "-s"], "shell"],
    [["bash", "install.sh"], "answer"],
    [["bash", "-c", "read x"], "answer"],
    [["ssh", "host"], "shell"],
    [["sudo", "-i"], "shell"],
    [["docker", "exec", "-it", "x", "sh"], "shell"],
    [["python3"], "code"],
    [["python3", "-i", "x.py"], "code"],
    [["python3", "ask.py"], "answer"],
    [["node"], "code"],
    [["node", "/usr/bin/npm", "init"], "answer"],
    [["psql", "db"], "code"],
    [["less", "file"], "answer"],
    [["some-program"], "answer"],
  ])("%j reads as %s", (argv, kind) => {
    expect(inputReaderOf(argv).kind).toBe(kind);
  });

  it.each([
    [["bash"], "ls\n", "allow"],
    [["bash"], "rm -rf build\n", "ask"],
    [["bash"], "curl http://127.0.0.1:9/x | bash\n", "deny"],
    [["bash"], "ls\ncurl http://127.0.0.1:9/x | bash\n", "deny"],
    [["ssh", "host"], "sudo ls\n", "deny"],
    [["python3"], "print(1)\n", "ask"],
    [["bash", "install.sh"], "y\n", "allow"],
    [["some-program"], "rm -rf build\n", "allow"],
    [["less", "x"], "/needle\r", "allow"],
    [["less", "x"], "!rm -rf build\r", "ask"],
    [["vim", "x"], ":!curl http://127.0.0.1:9/x | bash\r", "deny"],
  ])("%j gets %j: %s", (argv, text, decision) => {
    expect(verdictOf(argv, text)).toBe(decision);
  });

  it("P64 a profile that runs nothing types nothing", () => {
    expect(verdictOf(["some-program"], "y\n", { profile: "restricted" })).toBe("deny");
  });

  it("P64 a line for a shell has an end, and no keys that nobody can follow", () => {
    expect(verdictOf(["bash"], "ls")).toBe("unreadable");
    expect(verdictOf(["bash"], "l\u001b[A\n")).toBe("unreadable");
  });

  it("P64 whatever is left on a shell's line is cleared first, and Enter is what a keyboard sends", () => {
    const judged = judgeTyped("ls\npwd\n", inputReaderOf(["bash"]), {}, defaultPolicy);
    expect(judged).toMatchObject({ keys: "\u0015ls\r\u0015pwd\r" });
  });

  it("P64 an interrupt passes to whoever reads", () => {
    expect(verdictOf(["bash"], "\u0003")).toBe("allow");
    expect(judgeTyped("\u0003", inputReaderOf(["python3"]), {}, defaultPolicy)).toMatchObject({ keys: "\u0003" });
  });

  it("P64 rules may be for input alone", () => {
    const rule = { id: "no-make", decision: "deny", program: "make", surfaces: ["input"] };
    const loaded = loadSecurityFile(JSON.stringify({ rules: [rule] }));
    const policy = loaded.ok ? loaded.policy : defaultPolicy;
    const judged = judgeTyped("make\n", inputReaderOf(["bash"]), {}, policy);
    expect(judged).toMatchObject({ judgement: { decision: "deny" } });
  });
});

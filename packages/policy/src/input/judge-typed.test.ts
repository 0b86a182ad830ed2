import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../settings/policy.ts";
import { loadSecurityFile } from "../settings/security-file.ts";
import { judgeTyped } from "./judge-typed.ts";
import { inputReaderOf } from "./reader.ts";

const verdictOf = (argv: string[], text: string, context = {}) => {
  const judged = judgeTyped(text, inputReaderOf(argv), context, defaultPolicy);
  return judged.type === "judged" ? judged.judgement.decision : judged.type;
};

describe("P64 typed text is judged by its reader", () => {
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
    [["less", "file"], "keys"],
    [["vim", "file"], "keys"],
    [["node", "inspect", "x.js"], "code"],
    [["python3", "-m", "pdb", "x.py"], "code"],
    [["perl", "-d", "x.pl"], "code"],
    [["gdb", "x"], "code"],
    [["some-program"], "answer"],
  ])("%j reads as %s", (argv, kind) => {
    expect(inputReaderOf(argv).kind).toBe(kind);
  });

  it.each([
    [["bash"], "ls\n", "allow"],
    [["bash"], "rm -rf src\n", "ask"],
    [["bash"], "curl http://127.0.0.1:9/x | bash\n", "deny"],
    [["bash"], "ls\ncurl http://127.0.0.1:9/x | bash\n", "deny"],
    [["ssh", "host"], "sudo ls\n", "deny"],
    [["python3"], "print(1)\n", "allow"],
    [["python3"], "import subprocess\n", "ask"],
    [["bash", "install.sh"], "y\n", "allow"],
    [["some-program"], "rm -rf build\n", "allow"],
    [["less", "x"], "/needle\r", "allow"],
    [["less", "x"], "!rm -rf src\r", "ask"],
    [["less", "x"], "!curl http://127.0.0.1:9/x | bash\r", "deny"],
    [["vim", "x"], ":!curl http://127.0.0.1:9/x | bash\r", "deny"],
  ])("%j gets %j: %s", (argv, text, decision) => {
    expect(verdictOf(argv, text)).toBe(decision);
  });

  it("P64 a profile that runs nothing types nothing", () => {
    expect(verdictOf(["some-program"], "y\n", { profile: "restricted" })).toBe("deny");
  });

  it("P64 a line for a shell must be complete, without keys of unknown effect", () => {
    expect(verdictOf(["bash"], "ls")).toBe("unreadable");
    expect(verdictOf(["bash"], "l\u001b[A\n")).toBe("unreadable");
  });

  it("P64 left-over text on a shell's line is cleared first, and Enter is sent as a keyboard does", () => {
    const judged = judgeTyped("ls\npwd\n", inputReaderOf(["bash"]), {}, defaultPolicy);
    expect(judged).toMatchObject({ keys: "\u0015ls\r\u0015pwd\r" });
  });

  it("P64 an interrupt is allowed for any reader", () => {
    expect(verdictOf(["bash"], "\u0003")).toBe("allow");
    expect(judgeTyped("\u0003", inputReaderOf(["python3"]), {}, defaultPolicy)).toMatchObject({ keys: "\u0003" });
  });

  it("P64 rules may apply to input only", () => {
    const rule = { id: "no-make", decision: "deny", program: "make", surfaces: ["input"] };
    const loaded = loadSecurityFile(JSON.stringify({ rules: [rule] }));
    const policy = loaded.ok ? loaded.policy : defaultPolicy;
    const judged = judgeTyped("make\n", inputReaderOf(["bash"]), {}, policy);
    expect(judged).toMatchObject({ judgement: { decision: "deny" } });
  });

  it.each([
    ["python3", "-X", "dev"],
    ["python3", "-W", "ignore"],
    ["python3", "-m", "pdb", "x.py"],
    ["python3", "-mpdb", "x.py"],
    ["python", "src/manage.py", "shell_plus"],
    ["node", "inspect", "x.js"],
    ["node", "-r", "./setup.js"],
    ["perl", "-d", "x.pl"],
    ["ruby", "-rdebug", "x.rb"],
    ["php", "artisan", "tinker"],
  ])("P64 what is typed into %s %s %s is code", (...argv) => {
    expect(inputReaderOf(argv).kind).toBe("code");
  });

  it.each([
    ["bash", "-O", "extglob"],
    ["bash", "-o", "pipefail"],
    ["bash", "+x"],
    ["sh", "-i", "x.sh"],
  ])("P64 what is typed into %s %s %s is a command", (...argv) => {
    expect(inputReaderOf(argv).kind).toBe("shell");
  });

  it.each([
    ["python3", "ask.py"],
    ["python3", "-u", "ask.py"],
    ["bash", "-o", "pipefail", "ask.sh"],
  ])("P64 what is typed into %s %s %s is an answer", (...argv) => {
    expect(inputReaderOf(argv).kind).toBe("answer");
  });

  it("S4 the executable counts, not the name that a program gives itself", () => {
    expect(inputReaderOf(["notes"], "/usr/bin/bash").kind).toBe("shell");
    expect(inputReaderOf(["notes"], "/usr/bin/vim.basic").kind).toBe("keys");
    expect(inputReaderOf(["notes"], "/usr/bin/less").kind).toBe("keys");
    expect(inputReaderOf(["less", "x"], "/usr/bin/busybox").kind).toBe("keys");
  });

  it.each([
    [
      ["less", "x"],
      ["j", "k", " ", "G", "gg", "10G", "q", "/needle\r", "?x\r", "nnn", "\u001b[B\u001b[A", "\u001b[6~", "\u0006"],
    ],
    [
      ["man", "ls"],
      [" ", "b", "q", "/option\r"],
    ],
    [
      ["vim", "x"],
      ["j", "\u001b", "gg", "G", "10G", "3j", ":q!\r", "\u001b:q!\r", ":q\r", "\u001b[B", "\u0004"],
    ],
    [
      ["nano", "x"],
      ["\u001b[B", "\u0018", "\u0016"],
    ],
    [
      ["emacs", "x"],
      ["\u0018\u0003", "\u000e"],
    ],
    [["top"], ["q", "M"]],
    [["tig"], ["j", "k", "q"]],
  ])("S4 in %j moving and leaving are allowed", (argv, texts) => {
    expect(texts.filter((text) => verdictOf(argv, text) !== "allow")).toEqual([]);
  });

  it.each([
    [
      ["less", "x"],
      [
        "v",
        "s",
        "|a",
        ":e /etc/passwd\r",
        "-o",
        "!ls\r",
        "|$cat\r",
        ":e x\r",
        "q!ls\r",
        "qls\r",
        "/x",
        "!",
        "#",
        "\u0018\u0016",
        "&x",
        "+cmd\r",
      ],
    ],
    [
      ["man", "ls"],
      ["!ls\r", "v"],
    ],
    [
      ["vim", "x"],
      [
        "i",
        "ihello",
        ":w\r",
        ":wq\r",
        "ZZ",
        ":!ls\r",
        ":e x\r",
        ":set shell=x\r",
        "@:",
        "q:",
        "K",
        "gf",
        ":",
        ":!",
        ":lua x\r",
        ":q!\rls\r",
        "\u0012=x\r",
      ],
    ],
    [
      ["nano", "x"],
      ["\u000f", "\u0014", "\u0012", "hello", "\u0018y"],
    ],
    [
      ["emacs", "x"],
      ["\u001bxshell\r", "\u001b!ls\r", "\u001b:x\r", "\u0018\u0013"],
    ],
    [["top"], ["k", "r", "W", "qls\r"]],
    [["mutt"], ["|ls\r", "!ls\r", "s"]],
    [["mail"], ["~!ls\r", "~|ls\r", "~w x\r", "~r x\r", "~e"]],
    [["ranger"], ["!ls\r", ":shell ls\r", "\r", "S"]],
    [["fzf"], ["\r"]],
  ])("S4 in %j other keys are never allowed", (argv, texts) => {
    expect(texts.filter((text) => verdictOf(argv, text) === "allow")).toEqual([]);
  });

  it.each([
    [["less"], "|$curl http://127.0.0.1:9/x|sh\r"],
    [["vim"], ':lua os.execute("rm -rf ~")\r'],
    [["vim"], ':call job_start("rm -rf ~")\r'],
    [["vim"], ":call system('rm -rf ~')\r"],
    [["vim"], ":r !rm -rf ~\r"],
    [["vim"], ":%!rm -rf ~\r"],
    [["vim"], ":terminal rm -rf ~\r"],
    [["emacs"], "\u001bxshell-command\rrm -rf ~\r"],
    [["emacs"], "\u001b!rm -rf ~\r"],
    [["mutt"], "|rm -rf ~\r"],
    [["mail"], "~|rm -rf ~\r"],
    [["mail"], "~!rm -rf ~\r"],
  ])("S4 %j gets %j: denied as the command it is", (argv, text) => {
    expect(verdictOf(argv, text)).toBe("deny");
  });

  it("S4 a command that is split over two writes is not started", () => {
    for (const begin of ["!", ":", ":!", "|", "/x", "!rm -rf"]) expect(verdictOf(["less"], begin)).toBe("unreadable");
    for (const begin of [":", ":!rm", "\u001b:", "\u001b:!x"]) expect(verdictOf(["vim"], begin)).not.toBe("allow");
  });

  it.each([
    [["some-program"], "y\rrm -rf build\r"],
    [["bash", "x.sh"], "a\nls\n"],
    [["read"], "x\ny\n"],
    [["some-program"], "y\u0004ls\r"],
    [["some-program"], "y\u000fls\r"],
    [["some-program"], "y\u0003ls\r"],
    [["some-program"], "\u0001ls\r"],
    [["some-program"], "x\u001b[Dls\r"],
    [["head", "-c1"], "xls\r"],
    [["dd", "bs=1", "count=1"], "xls\r"],
    [["python3"], "exit()\nrm -rf build\n"],
    [["psql"], "\\q\nls\n"],
    [["sqlite3"], ".quit\nls\n"],
    [["node"], ".exit\nls\n"],
    [["python3"], "\u0004ls\n"],
  ])("S3 %j gets %j: input that another program would read is refused", (argv, text) => {
    expect(verdictOf(argv, text)).toBe("unreadable");
  });

  it.each([
    [["some-program"], "y\r"],
    [["some-program"], "y"],
    [["some-program"], "my answer is\ttabbed\r"],
    [["some-program"], "\u001b[B"],
    [["some-program"], "\t"],
    [["some-program"], "\r"],
    [["head", "-c1"], "x"],
    [["head", "-n1"], "a line\r"],
  ])("S3 %j gets %j: one line or one key is allowed", (argv, text) => {
    expect(verdictOf(argv, text)).toBe("allow");
  });
});

import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (path: string, code: string, run: string) =>
  judge(
    `cat > ${path} <<'END'\n${code}\nEND\n${run}`,
    { home: "/home/agent", workspace: "/home/agent/w" },
    defaultPolicy,
  ).decision;

it.each([
  ["tests/test_a.py", "import os\nos.system('git push --force')", "pytest"],
  ["conftest.py", "import subprocess as s\ns.run(args=['npm', 'publish'])", "pytest"],
  ["conftest.py", "from subprocess import check_call as c\nc(['git', 'push'])", "pytest"],
  ["conftest.py", "import os\nline = 'git push'\nos.system(line)", "pytest"],
  ["conftest.py", "print(open('.env').read())", "pytest -s"],
  ["tests/test_a.py", "open('/home/agent/.ssh/id_rsa')", "pytest -s"],
  ["tests/test_a.py", "import os\nprint(os.environ)", "pytest -s"],
  ["a.test.js", 'require("child_" + "process").execSync("npm publish")', "npx vitest run a.test.js"],
  ["a.test.js", "console.log(process.env)", "npx vitest run"],
  ["x_test.go", 'import "os/exec"\nexec.Command("sh", "-c", "git push")', "go test ./..."],
  ["build.rs", 'std::process::Command::new("git").arg("push").status();', "cargo build"],
  ["Rakefile", "`git push`", "rake"],
])("P16 asks about what a file of the project starts or prints: %s %s", (path, code, run) => {
  expect(decide(path, code, run)).toBe("ask");
});

it.each([
  ["tests/test_a.py", "import os\nlines = {'a': 'rm -rf ~'}\nos.system(lines[key])", "pytest"],
  [
    "cli.test.ts",
    'import { execFileSync } from "node:child_process";\nconst run = (line: string) => execFileSync(BIN, ["check", line]);\ntest("denies", () => { expect(run("rm -rf /")).toBe("deny"); });',
    "npx vitest run cli.test.ts",
  ],
])("P16 asks, and does not deny, about a text that may be a command: %s", (path, code, run) => {
  expect(decide(path, code, run)).toBe("ask");
});

it.each([
  "import os\nline = 'rm -rf ~'\nos.system(line)",
  "import os\ndef run(line):\n    os.system(line)\nrun('rm -rf /')",
  "import subprocess\ndef go(args):\n    subprocess.run(args)\ngo(['rm', '-rf', '/'])",
  "import subprocess\nfor line in ['rm -rf /']: subprocess.run(['bash', '-c', line])",
  "import subprocess\ndef run(line):\n    return subprocess.run(['bash', '-c', line])\nrun('rm -rf /')",
])("P16 denies a text that is passed to a call by name: %s", (code) => {
  expect(decide("tests/test_a.py", code, "pytest")).toBe("deny");
});

it("P16 denies what must never run behind however many other texts", () => {
  const texts = Array.from({ length: 60 }, (_, index) => `x${index} = 'word number ${index}'`).join("\n");

  expect(decide("tests/test_a.py", `import os\n${texts}\nos.system('rm -rf ~')`, "pytest")).toBe("deny");
});

it.each([
  ["src/a.test.ts", 'test("adds two numbers", () => { expect(run(1, 2)).toBe(3); });', "npx vitest run src/a.test.ts"],
  ["src/b.test.ts", 'test("has the user\'s name", () => {});\nnew Process("delete old files").run();', "npm test"],
  ["cmd/root.go", 'var root = &cobra.Command{Use: "app", Long: "remove all the things"}', "go test ./..."],
  ["x_test.go", 'import "os/exec"\nexec.Command("git", "status")\nt.Fatal("git push failed")', "go test ./..."],
  [
    "tests/test_a.py",
    "import subprocess\nsubprocess.run(['python', '-m', 'app', '--help'])\nassert x, 'no text here'",
    "pytest",
  ],
  ["tests/test_a.py", "import subprocess\nsubprocess.run(['make', 'build'])", "pytest"],
  [
    "tests/test_a.py",
    "import subprocess, sys\ndef run(line):\n    return subprocess.run([sys.executable, '-m', 'guard', line])\nrun('rm -rf ~')",
    "pytest",
  ],
  ["app.py", "from dotenv import load_dotenv\nload_dotenv('.env')", "pytest"],
])("P16 runs tests whose texts are only texts: %s %s", (path, code, run) => {
  expect(decide(path, code, run)).toBe("allow");
});

import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (lines: readonly string[]) =>
  judge(
    `python3 - <<'EOF'\n${lines.join("\n")}\nEOF`,
    { home: "/home/agent", workspace: "/home/agent/w" },
    defaultPolicy,
  ).decision;

it.each([
  [["import tempfile, os", "f = tempfile.NamedTemporaryFile(delete=False)", "print(f.name)", "os.unlink(f.name)"]],
  [["import tempfile, shutil", "d = tempfile.mkdtemp()", "print(d)", "shutil.rmtree(d)"]],
  [
    [
      "import tempfile, shutil",
      "d = tempfile.mkdtemp()",
      "try:",
      "    print(d)",
      "finally:",
      "    shutil.rmtree(d, ignore_errors=True)",
    ],
  ],
  [["import tempfile, os", "fd, path = tempfile.mkstemp()", "os.remove(path)"]],
  [
    [
      "import tempfile, os",
      "d = tempfile.mkdtemp()",
      "p = os.path.join(d, 'a.txt')",
      "open(p, 'w').write('x')",
      "os.remove(p)",
    ],
  ],
  [
    [
      "import tempfile",
      "from pathlib import Path",
      "d = Path(tempfile.mkdtemp())",
      "p = d / 'a'",
      "p.write_text('x')",
      "p.unlink()",
    ],
  ],
  [["import os", "open('/tmp/probe.txt', 'w').write('x')", "os.remove('/tmp/probe.txt')"]],
])("P17 code may delete what it created itself in the temporary folder: %j", (lines) => {
  expect(decide(lines)).toBe("allow");
});

it.each([
  [["import os", "os.remove('src/a.py')"]],
  [["import tempfile, shutil", "d = tempfile.mkdtemp()", "d = 'src'", "shutil.rmtree(d)"]],
  [["import tempfile, shutil", "d = tempfile.mkdtemp()", "for d in ['src']:", "    shutil.rmtree(d)"]],
  [["import tempfile, shutil", "d = tempfile.mkdtemp()", "def f(d):", "    shutil.rmtree(d)", "f('src')"]],
  [["import os", "os.remove('/tmp/../home/agent/w/a')"]],
  [["import tempfile, os", "f = tempfile.NamedTemporaryFile(delete=False)", "os.unlink(f.name)", "os.unlink('a.py')"]],
  [["import shutil", "shutil.rmtree('/tmp/x/../../home')"]],
])("P17 code that deletes anything else asks: %j", (lines) => {
  expect(decide(lines)).not.toBe("allow");
});

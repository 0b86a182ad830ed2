import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findNamedFiles } from "./named-files.ts";
import { wordsOf } from "./words.ts";

const FILES: Record<string, string> = {
  "deploy.sh": "#!/bin/sh\n. ./lib/common.sh\nnode tools/release\n",
  "lib/common.sh": "echo common",
  "tools/release.js": 'require("./helper");\n',
  "tools/helper.js": "// helps",
  run: "#!/usr/bin/env python3\nprint(1)\n",
  "pkg/mod.py": "import other\n",
  "pkg/other.py": "pass",
  Makefile: "all:\n\t./run\n",
  "package.json": "{}",
  "sub/inner.sh": "echo",
  "data.txt": "only data",
  "bin/mytool": "#!/bin/sh\n",
  ".git/hooks/pre-push": "#!/bin/sh\n",
  ".git/hooks/pre-push.sample": "#!/bin/sh\n",
};

test.each([
  ["bash deploy.sh", ["deploy.sh", "lib/common.sh", "tools/helper.js", "tools/release.js"]],
  ["sh < deploy.sh", ["deploy.sh", "lib/common.sh", "tools/helper.js", "tools/release.js"]],
  ["./run --fast", ["run"]],
  ["'./run'", ["run"]],
  ["python -m pkg.mod", ["pkg/mod.py", "pkg/other.py"]],
  ["source lib/common.sh", ["lib/common.sh"]],
  ["make all", ["Makefile", "run"]],
  ["npm run build", ["package.json"]],
  ["cd sub && bash inner.sh", ["sub/inner.sh"]],
  ["env FOO=1 nohup sh sub/inner.sh &", ["sub/inner.sh"]],
  ["node --require=./tools/helper.js -e 1", ["tools/helper.js"]],
  ["mytool", ["bin/mytool"]],
  ["git push", [".git/hooks/pre-push"]],
  ["bash link.sh", ["sub/inner.sh"]],
  ["bash dep*.s?", ["deploy.sh", "lib/common.sh"]],
  ["sh */inn[e]r.sh", ["sub/inner.sh"]],
])("S10 %s is bound to the files that it runs", async (text, expected) => {
  const cwd = workspace();

  const found = await findNamedFiles({ text, runs: [text], argv: null, cwd, path: join(cwd, "bin") });

  const names = found.filter(({ isCode }) => isCode).map(({ path }) => path.slice(cwd.length + 1));
  expect(names).toEqual(expect.arrayContaining(expected));
});

test("S10 files that are only read are bound as well, and changed content counts as another file", async () => {
  const cwd = workspace();
  const find = () => findNamedFiles({ text: "invented --in data.txt", runs: [], argv: null, cwd, path: "" });

  const before = await find();
  writeFileSync(join(cwd, "data.txt"), "other data");
  const after = await find();

  expect(before).toMatchObject([{ path: join(cwd, "data.txt"), isCode: false, bytes: 9 }]);
  expect(after[0]?.sha256).not.toBe(before[0]?.sha256);
});

test("S10 a symlink loop, a pipe and a long list terminate", async () => {
  const cwd = workspace();
  writeFileSync(join(cwd, "loop.sh"), "./loop.sh\n./deploy.sh\n");
  const text = `sh loop.sh /dev/stdin ${"x.sh ".repeat(5000)}`;

  const found = await findNamedFiles({ text, runs: [text], argv: null, cwd, path: "" });

  expect(found.map(({ path }) => path)).toContain(join(cwd, "loop.sh"));
});

test("S10 words are split like in a shell, without operators", () => {
  expect(wordsOf(`a 'b c' "d\\"e"f>g;h|i&&j\\ k $(l) \\\nm`)).toEqual([
    "a",
    "b c",
    'd"ef',
    "g",
    "h",
    "i",
    "j k",
    "$",
    "l",
    "m",
  ]);
});

function workspace(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "belay-named-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
    chmodSync(join(dir, name), 0o755);
  }
  symlinkSync("sub/inner.sh", join(dir, "link.sh"));
  return dir;
}

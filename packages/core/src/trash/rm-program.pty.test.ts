import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledTrash, installTrash } from "./install-trash.ts";
import { listTrash } from "./trash.ts";

/** Permissions do not apply to root. */
const ordinaryUid = process.getuid?.() === 0 ? 65_534 : undefined;

let base: string;
let home: string;
let trashDir: string;
let trash: InstalledTrash;
let count = 0;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "belay-trash-")));
  home = join(base, "home");
  trashDir = join(base, "the trash's");
  mkdirSync(home);
  trash = await installTrash({ trashDir, home });
  for (const path of [base, home, trashDir, join(trashDir, "entries"), trash.binDir]) chmodSync(path, 0o777);
});
afterAll(() => {
  spawnSync("chmod", ["-R", "u+rwX", base]);
  rmSync(base, { recursive: true });
});

function freshDir(parent = base): string {
  const dir = join(parent, `work ${count++}`);
  mkdirSync(dir);
  chmodSync(dir, 0o777);
  return dir;
}

interface Run {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  left: string[];
}

/** Runs a script in a temporary folder, and returns what is left in it. */
function run(script: string, { rm, shell = "/bin/sh", input = "", dir = freshDir() }: RunOptions): Run {
  const path = rm === "ours" ? `${trash.binDir}:${process.env.PATH}` : process.env.PATH;
  const { status, stdout, stderr } = spawnSync(shell, ["-c", script], {
    cwd: dir,
    env: { PATH: path, LC_ALL: "C", HOME: home },
    input,
    uid: ordinaryUid,
    encoding: "utf8",
  });
  const listed = spawnSync("find", [".", "-mindepth", "1", "-print0"], { cwd: dir, encoding: "utf8" });
  return { exitCode: status, stdout, stderr, left: listed.stdout.split("\0").filter(Boolean).sort() };
}

interface RunOptions {
  rm: "ours" | "real";
  shell?: string;
  input?: string;
  dir?: string;
}

const trashed = async () => (await listTrash(trashDir)).map((item) => item.path);

const isGnu = spawnSync("rm", ["--version"], { encoding: "utf8" }).stdout.includes("GNU");

describe.runIf(isGnu)("D9 rm behaves like GNU rm: same exit code, same messages, same files left", () => {
  const cases: [why: string, script: string, input?: string][] = [
    ["removes files", "touch a b c; rm a b"],
    [
      "takes names with spaces, quotes, globs and newlines",
      "touch 'a b' \"c'd\" '*' 'e\nf' keep; rm 'a b' \"c'd\" '*' 'e\nf'",
    ],
    ["expands globs as the shell does", "touch 1.o 2.o 3.c; rm *.o"],
    ["takes a leading dash after --", "touch -- -f -r --; rm -- -f -r --"],
    ["takes a leading dash behind a folder", "touch -- -f; rm ./-f"],
    ["takes a lone dash as a name", "touch -- -; rm -"],
    ["reads options after names", "mkdir d; touch d/x; rm d -r"],
    ["but not where POSIX forbids it", "export POSIXLY_CORRECT=1; touch a; rm a -f"],
    ["refuses a folder without -r", "mkdir d; rm d"],
    ["goes on after an error, and remembers it", "mkdir d; touch a b; rm a d b"],
    [
      "removes folders with -r, -R, --recursive and short for it",
      "mkdir a b c d; rm -r a; rm -R b; rm --recursive c; rm --rec d",
    ],
    ["removes an empty folder with -d", "mkdir d; rm -d d"],
    ["but no full one", "mkdir d; touch d/x; rm -d d"],
    ["reports a missing file", "rm nothing"],
    ["which -f ignores", "rm -f nothing nowhere/nothing"],
    ["wants an operand", "rm"],
    ["unless forced", "rm -f"],
    ["knows no -z", "touch a; rm -z a"],
    ["knows no --nonsense", "touch a; rm --nonsense a"],
    ["notices an ambiguous option", "touch a; rm --ver a || true; test -e a"],
    ["removes a link, not what it points to", "mkdir d; touch d/x; ln -s d l; ln -s none dangling; rm l dangling"],
    ["takes a link with -rf, too", "mkdir d; touch d/x; ln -s d l; rm -rf l"],
    ["does not take a file with a slash", "touch a; rm a/"],
    ["takes a folder with slashes", "mkdir -p d/e; rm -r d/e///"],
    ["refuses . and ..", "mkdir d; cd d; rm -r . ; rm -rf .. ; rm -rf ../d/."],
    ["treats an empty name as missing", "rm ''; rm -f ''"],
    ["asks with -i, for yes", "touch a b c; rm -i a b c", "y\nn\nyes\n"],
    ["asks with -i, for the end of input", "touch a; rm -i a", ""],
    ["lets the last of -i and -f win", "touch a b; rm -if a; rm -fi b", "n\n"],
    ["never asks when told so", "touch a; rm -i --interactive=never a"],
    ["is verbose", "touch a b; rm -v a b"],
    ["removes a fifo", "mkfifo p; rm p"],
    [
      "removes what cannot be written",
      "touch a; chmod 444 a; mkdir d; touch d/x; chmod 500 d; rm -f a; rm -f d/x; chmod 700 d",
    ],
    [
      "does not take from a folder that may not be changed",
      "mkdir d; touch d/x d/y; chmod 500 d; rm -f d/x d/y; chmod 700 d",
    ],
    ["does not enter a folder without permission", "mkdir d; touch d/x; chmod 600 d; rm -f d/x; chmod 700 d"],
    ["works through xargs", "touch 1 2 3; ls | xargs rm"],
    ["works through find -exec", "mkdir -p a/b; touch a/1.o a/b/2.o a/b/k; find . -name '*.o' -exec rm {} +"],
    ["works through find -exec, one by one", "mkdir a; touch a/1.o a/2.o; find . -name '*.o' -exec rm {} \\;"],
    ["works in a script", "touch a; printf '#!/bin/sh\\nrm a\\n' > s; sh s; rm s"],
    ["works through env -i with the path", 'touch a; env -i PATH="$PATH" rm a'],
    ["removes from many folders at once", "mkdir a b c; touch a/1 b/2 a/3 c/4 5; rm a/1 b/2 a/3 c/4 5"],
  ];

  it.each(cases)("D9 rm %s", (_why, script, input) => {
    const ours = run(script, { rm: "ours", input });
    const real = run(script, { rm: "real", input });

    expect(ours).toEqual(real);
  });
});

describe("D9 rm differs from GNU rm", () => {
  it("D9 rm leaves a link with a trailing slash alone; GNU rm empties its target folder", () => {
    const result = run("mkdir d; touch d/x; ln -s d l; rm -r l/", { rm: "ours" });

    expect(result).toMatchObject({ exitCode: 1, stderr: "rm: cannot remove 'l/': Not a directory\n" });
    expect(result.left).toEqual(["./d", "./d/x", "./l"]);
  });

  it("D9 rm asks once with -I, before many or before going into folders", () => {
    const script = "mkdir d; touch a b c d/e; rm -I a b c; rm -rI d";

    expect(run(script, { rm: "ours", input: "no\n" })).toMatchObject({ exitCode: 0, left: ["./d", "./d/e"] });
    expect(run(script, { rm: "ours", input: "yes\n" })).toMatchObject({ exitCode: 0, left: [] });
  });

  it("D9 rm -v names a folder once, because it is moved as a whole", () => {
    expect(run("mkdir d; touch d/x; rm -rv d", { rm: "ours" })).toMatchObject({ stdout: "removed 'd'\n", left: [] });
  });

  it("D9 rm answers --help and --version", () => {
    expect(run("rm --help && rm --version", { rm: "ours" }).stdout).toMatch(/^Usage: rm .*\n.*\nrm \(Belay trash\)/);
  });

  it.each(["dash", "bash", "zsh", "fish"])("D9 rm is a function of %s, and an alias does not override it", (shell) => {
    if (spawnSync(shell, ["-c", "true"]).status !== 0) return;
    const text = shell === "fish" ? trash.functionText.fish : `alias rm='rm -i'\n${trash.functionText.posix}`;
    const dir = freshDir();

    const result = run(`${text}\ntouch 'a b' c\nrm 'a b' c\n`, { rm: "real", shell, dir });

    expect(result).toEqual({ exitCode: 0, stdout: "", stderr: "", left: [] });
  });
});

describe("D9 what was removed is in the trash", () => {
  it("D9 with its original path, through links and relative names", async () => {
    const dir = freshDir();

    run("mkdir -p real/sub; ln -s real link; touch real/sub/x 'y\nz'; cd link/sub; rm ../sub/x; cd ../..; rm 'y\nz'", {
      rm: "ours",
      dir,
    });

    expect(await trashed()).toEqual(expect.arrayContaining([`${dir}/real/sub/x`, `${dir}/y\nz`]));
  });

  it("D9 also if permissions had to be changed to move it", async () => {
    const dir = freshDir();

    const result = run("mkdir -p d/e; touch d/e/x; chmod 500 d; rm -rf d", { rm: "ours", dir });

    expect(result).toEqual({ exitCode: 0, stdout: "", stderr: "", left: [] });
    expect(await trashed()).toContain(`${dir}/d`);
  });

  it("D9 also from another file system", async () => {
    if (!existsSync("/dev/shm") || statSync("/dev/shm").dev === statSync(base).dev) return;
    const other = mkdtempSync("/dev/shm/belay-trash-");
    chmodSync(other, 0o777);
    try {
      const result = run("mkdir d; touch d/x; ln -s x d/l; mkfifo d/p; chmod 440 d/x; rm -rf d", {
        rm: "ours",
        dir: other,
      });

      expect(result).toEqual({ exitCode: 0, stdout: "", stderr: "", left: [] });
      expect(await trashed()).toContain(`${other}/d`);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it("D9 also with concurrent removals", async () => {
    const dir = freshDir();
    const names = Array.from({ length: 60 }, (_, index) => `f${index}`);

    const result = run("for i in $(seq 0 59); do touch f$i; done; ls | xargs -n 3 -P 8 rm", { rm: "ours", dir });

    expect(result).toMatchObject({ exitCode: 0, stderr: "", left: [] });
    expect(await trashed()).toEqual(expect.arrayContaining(names.map((name) => `${dir}/${name}`)));
  });

  it("D9 and if the trash cannot be written, nothing is removed", async () => {
    const broken = join(base, "broken");
    mkdirSync(broken);
    const { binDir } = await installTrash({ trashDir: broken, home });
    for (const path of [broken, binDir]) chmodSync(path, 0o755);
    chmodSync(join(broken, "entries"), 0o555);

    const result = run(`touch a; '${binDir}/rm' -f a`, { rm: "real" });

    expect(result).toMatchObject({ exitCode: 1, left: ["./a"] });
    expect(result.stderr).toBe(`rm: the trash '${broken}' cannot be written; nothing was removed\n`);
  });
});

describe("D9 rm refuses to remove", () => {
  it.each(["/", "//", "/etc", "/usr", "/usr/lib", "/usr/../etc", "/tmp", "/home", "/var/lib", "/proc", "/dev"])(
    "D9 rm -rf %s",
    (path) => {
      const result = run(`rm -rf --no-preserve-root '${path}'`, { rm: "ours" });

      expect(result).toMatchObject({ exitCode: 1, stdout: "" });
      expect(result.stderr).toMatch(/^rm: (refusing to remove|it is dangerous)/);
      expect(existsSync("/etc/passwd")).toBe(true);
    },
  );

  it("D9 home, the trash, their parent folders, and the trash's contents", () => {
    for (const path of [home, base, trashDir, join(trashDir, "entries"), trash.binDir, `${home}/../home`]) {
      expect(run(`rm -rf "$1"`.replace("$1", path), { rm: "ours" })).toMatchObject({ exitCode: 1 });
      expect(existsSync(path)).toBe(true);
    }
  });
});

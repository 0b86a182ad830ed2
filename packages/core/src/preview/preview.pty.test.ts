import { spawnSync, spawn as start } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { proveApplyCrashes } from "../testing/changes/prove-apply-crashes.ts";
import { provePreview } from "../testing/changes/prove-preview.ts";
import { installedShells } from "../testing/installed-shells.ts";
import { canRunAs } from "../testing/other-user.ts";
import { openTestPool } from "../testing/test-pool.ts";
import { previewAbility } from "./ability.ts";
import { applyPreview } from "./apply-preview.ts";
import { KeptPreview } from "./kept-preview.ts";
import { type PreviewRequest, type PreviewResult, preview } from "./preview.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const canPreview = (await previewAbility()).status === "ready";

let base: string;
let root: string;
let dir: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "belay-preview-")));
  [root, dir] = [join(base, "work"), join(base, "data", "one")];
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(root, "build", "old.o"), "o\n");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function look(line: string, more: Partial<PreviewRequest> & { state?: string } = {}): Promise<PreviewResult> {
  const { state = null, ...request } = more;
  return preview({
    program: { type: "line", line, kind: "bash", shellPath: "/bin/bash", state, env: {} },
    cwd: root,
    env: { PATH, HOME: base, LC_ALL: "C" },
    stdin: null,
    roots: [root, tmpdir()],
    ownRoots: [],
    hidden: [join(base, "data")],
    readable: [],
    missing: [],
    wall: null,
    dir,
    timeoutMs: 20_000,
    maxBytes: 50_000_000,
    ...request,
  });
}

const pathsOf = ({ roots }: PreviewResult) =>
  roots.flatMap(({ changes }) =>
    changes.map(({ path, before, after }) => `${before ? (after ? "changed" : "deleted") : "created"} ${path}`),
  );

describe.runIf(canPreview)("X13 a preview", () => {
  test("X13 tells what a command would do, without doing it", async () => {
    const result = await look("sed -i s/one/ONE/ a.txt; rm -r build; mkdir new; echo hi > new/file; echo said; exit 0");
    // An interactive bash says that.
    const said = "said\nexit\n";
    const kept = KeptPreview.open(dir);

    expect(pathsOf(result)).toEqual([
      "changed a.txt",
      "deleted build",
      "deleted build/old.o",
      "created new",
      "created new/file",
    ]);
    expect(result).toMatchObject({ exitCode: 0, output: said });
    expect(await kept?.list()).toMatchObject({ counts: { created: 1, changed: 1, deleted: 1 } });
    expect(await kept?.diff("0:a.txt")).toEqual([{ oldStart: 1, newStart: 1, lines: ["-one", "+ONE", " two"] }]);
    expect([readFileSync(join(root, "a.txt"), "utf8"), readdirSync(root)]).toEqual(["one\ntwo\n", ["a.txt", "build"]]);
  });

  test("X13 counts nothing that others make in the temporary folder meanwhile", async () => {
    const writes = 'i=0; while [ $i -lt 20000 ]; do : > "$0/f$i"; i=$((i + 1)); done';
    const others = start("sh", ["-c", writes, base], { stdio: "ignore" });
    const ended = once(others, "exit");
    const seen = new Set<string>();
    try {
      for (let round = 0; round < 5; round++)
        for (const path of pathsOf(await look("mkdir -p ../../made-here; touch ../c.txt", { roots: [tmpdir()] })))
          seen.add(path.replace(/belay-preview-\w+/, "base"));
    } finally {
      others.kill("SIGKILL");
      await ended;
    }

    expect([...seen]).toEqual(["created base/c.txt", "created made-here"]);
  });

  test("X13 says what it tried and could not: the network, and writing elsewhere", async () => {
    const elsewhere = join(base, "elsewhere");
    mkdirSync(elsewhere);
    const result = await look(`echo x > /dev/udp/192.0.2.1/9; touch '${elsewhere}/x'`, { roots: [root] });

    expect(result.attempts).toEqual([
      "It tried to use the network, which a preview does not have.",
      "It tried to write outside of the folders that a preview covers.",
    ]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("X13 reaches no server of this machine, by a Unix socket or by its network", async () => {
    const server = createServer((socket) => socket.end("reached\n"));
    const path = join(root, "socket");
    const tcp = createServer((socket) => socket.end("reached\n"));
    await Promise.all([once(server.listen(path), "listening"), once(tcp.listen(0, "127.0.0.1"), "listening")]);
    const { port } = tcp.address() as { port: number };
    const connect = `import socket; s = socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(9))`;
    const line = `python3 -c '${connect}'; cat < /dev/tcp/127.0.0.1/${port}`;
    try {
      expect((await look(line)).output).not.toContain("reached");
      expect((await look(line, { dir: join(base, "data", "two"), roots: [tmpdir()] })).output).not.toContain("reached");
    } finally {
      server.close();
      tcp.close();
    }
  });

  test("X13 sees none of Belay's own files, and no process outside", async () => {
    mkdirSync(join(base, "data"));
    writeFileSync(join(base, "data", "secret"), "s");
    const { output } = await look(`ls '${base}/data'; kill -0 ${process.pid} || echo no such process`);

    expect(output).toContain("no such process");
    expect(output).not.toContain("secret");
  });

  test("X13 ends what takes too long, or writes too much", async () => {
    const slow = await look("echo begun > begun; exec sleep 600", { timeoutMs: 4_000 });
    const big = await look("head -c 20000000 /dev/zero > big", { dir: join(base, "data", "two"), maxBytes: 5_000_000 });

    expect(slow).toMatchObject({ isTimedOut: true, exitCode: null });
    expect(pathsOf(slow)).toEqual(["created begun"]);
    expect(slow.obstacles).toEqual(["It was not done after 4 s, the limit of a preview."]);
    expect(big.obstacles).toEqual(["It wrote more than a preview has room for."]);
    expect(readdirSync(root)).toEqual(["a.txt", "build"]);
  });

  test("X13 says what it would change in its shell", async () => {
    const changed = await look("cd build; export NAME=value; alias ll=ls; f() { :; }; set -u; umask 077");
    const ended = await look("exit 3", { dir: join(base, "data", "two") });
    const local = await look("(cd build; x=1); for i in 1 2; do echo $i; done > log", {
      dir: join(base, "data", "three"),
      state: "i=2\n",
    });

    expect(changed.shellChanges).toEqual([
      "its folder",
      "the alias ll",
      "the function f",
      "the mask for new files (umask)",
      "the option nounset",
      "the variable NAME",
    ]);
    expect(ended).toMatchObject({ exitCode: 3, shellChanges: ["it ends its shell"] });
    expect(local).toMatchObject({ shellChanges: [], obstacles: [] });
  });

  test("X13 leaves nothing behind when the process that asked for it is killed", async () => {
    const module = new URL("./preview.ts", import.meta.url).href;
    const request = {
      program: {
        type: "line",
        line: "echo up; exec sleep 600",
        kind: "bash",
        shellPath: "/bin/bash",
        state: null,
        env: {},
      },
      ...{
        cwd: root,
        env: { PATH },
        stdin: null,
        roots: [root],
        ownRoots: [],
        hidden: [],
        readable: [],
        missing: [],
        wall: null,
        dir,
      },
      ...{ timeoutMs: 3_000, maxBytes: 1_000_000 },
    };
    const script = `import(${JSON.stringify(module)}).then(({ preview }) => { setInterval(() => {}, 1000); return preview(${JSON.stringify(request)}); });`;
    const child = start(process.execPath, ["--import", "tsx", "-e", script], { stdio: "ignore" });
    const stage = join(dir, "stage");
    await until(() => holders(stage).length > 0);
    child.kill("SIGKILL");

    // At the latest when its time is up: its input ended with the process that asked.
    await until(() => holders(stage).length === 0);
    expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(stage);
    expect(readdirSync(root)).toEqual(["a.txt", "build"]);
  });
});

const USER = "1500";
const AS_USER = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"];

describe.runIf(canPreview && canRunAs(AS_USER))("X13 someone other than root", () => {
  test("X13 previews in a user namespace of their own, with no more rights than they have", async () => {
    const home = homeFor(USER);
    const request = requestFor("id -u; rm -r folder; mv plain renamed; cat /proc/self/status; cat /etc/shadow", home);
    const module = new URL("./preview.ts", import.meta.url).href;
    const told = await asOther(AS_USER, home, [
      `const { preview } = await import(${JSON.stringify(module)});`,
      `console.log(JSON.stringify(await preview(${JSON.stringify(request)})));`,
    ]);
    const result = JSON.parse(told) as PreviewResult;

    expect(pathsOf(result)).toEqual(["deleted folder", "deleted plain", "created renamed"]);
    expect(result.output).toMatch(/^1500$/m);
    expect(result.output).toMatch(/^CapEff:\s+0+$/m);
    expect(result.output).toContain("/etc/shadow: Permission denied");
    expect(result).toMatchObject({ exitCode: 1, obstacles: [] });
    expect(readdirSync(join(home, "work")).sort()).toEqual(["folder", "plain"]);
  });

  test("X13 is told why not, and what to do, where they may make no namespace", async () => {
    const home = homeFor(USER);
    const module = new URL("./ability.ts", import.meta.url).href;
    // The kernel lets no one make a user namespace in another root.
    const elsewhere = join(base, "root");
    mkdirSync(elsewhere);
    const enter = `mount --rbind / '${elsewhere}' && exec /usr/sbin/chroot --userspec=${USER}:${USER} --groups= '${elsewhere}' "$@"`;
    const told = await asOther(["unshare", "-m", "--propagation", "private", "sh", "-c", enter, "sh"], home, [
      `const { previewAbility } = await import(${JSON.stringify(module)});`,
      "console.log(JSON.stringify(await previewAbility()));",
    ]);

    expect(JSON.parse(told)).toMatchObject({
      status: "missing",
      reason: expect.stringContaining("unshare failed: Operation not permitted"),
      fix: expect.stringContaining("or root. Let users make namespaces: sysctl"),
    });
  });

  function homeFor(user: string): string {
    const home = realpathSync(mkdtempSync("/tmp/belay-other-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    mkdirSync(join(home, "work", "folder"), { recursive: true });
    writeFileSync(join(home, "work", "plain"), "");
    spawnSync("chown", ["-R", `${user}:${user}`, home]);
    return home;
  }

  function requestFor(line: string, home: string) {
    return {
      program: { type: "line", line, kind: "bash", shellPath: "/bin/bash", state: null, env: {} },
      ...{ cwd: join(home, "work"), env: { PATH, LC_ALL: "C" }, stdin: null, roots: [join(home, "work")] },
      ...{ ownRoots: [], hidden: [], readable: [], missing: [], wall: null, dir: join(home, "data") },
      ...{ timeoutMs: 20_000, maxBytes: 10_000_000 },
    };
  }

  async function asOther(through: string[], home: string, script: string[]): Promise<string> {
    const tsx = createRequire(import.meta.url).resolve("tsx");
    const [program = "", ...rest] = through;
    const child = start(
      program,
      [...rest, process.execPath, "--import", tsx, "--input-type=module", "-e", script.join("\n")],
      { stdio: ["ignore", "pipe", "inherit"], cwd: "/", env: { PATH, HOME: home, TMPDIR: home } },
    );
    return text(child.stdout);
  }
});

describe.runIf(canPreview)("X13 to apply a preview", () => {
  test("X13 takes over exactly what was shown", async () => {
    await look("sed -i s/one/ONE/ a.txt; rm -r build; ln -s a.txt link; mkdir -m 750 new; date +%N > new/when");
    const kept = KeptPreview.open(dir) as KeptPreview;
    const when = kept.read().roots[0]?.changes.find(({ path }) => path === "new/when")?.after;

    expect(await applyPreview(kept)).toMatchObject({ status: "applied" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("ONE\ntwo\n");
    expect([readlinkSync(join(root, "link")), existsSync(join(root, "build"))]).toEqual(["a.txt", false]);
    expect(await kept.readBlob(when && "id" in when ? String(when.id) : "")).toEqual(
      readFileSync(join(root, "new/when")),
    );
  });

  test.each([
    ["a file that it changes", "sed -i s/one/ONE/ a.txt", () => writeFileSync(join(root, "a.txt"), "one\nthree\n")],
    ["a file that it makes", "touch fresh", () => writeFileSync(join(root, "fresh"), "")],
    ["a folder that it removes", "rm -r build", () => writeFileSync(join(root, "build", "new.o"), "")],
  ])("X13 does nothing once %s has changed", async (_, line, change) => {
    await look(`${line}; echo other > other`);
    change();

    expect(await applyPreview(KeptPreview.open(dir) as KeptPreview)).toMatchObject({ status: "changed" });
    expect(existsSync(join(root, "other"))).toBe(false);
  });

  test("X13 refuses what it cannot take over as it is", async () => {
    await look("ln a.txt b.txt; cd build");

    expect(await applyPreview(KeptPreview.open(dir) as KeptPreview)).toEqual({
      status: "not-applicable",
      obstacles: [expect.stringContaining("hard links"), "It also changes its shell: its folder."],
    });
  });

  test("X13 takes over a named pipe", async () => {
    await look("mkfifo -m 640 pipe");

    expect(await applyPreview(KeptPreview.open(dir) as KeptPreview)).toMatchObject({ status: "applied" });
    const stats = lstatSync(join(root, "pipe"));
    expect([stats.isFIFO(), stats.mode & 0o7777]).toEqual([true, 0o640]);
  });

  test("X13 a process that is killed while it applies leaves a state that is found and mended", async () => {
    expect(await proveApplyCrashes(1, 2, PATH)).toMatchObject({ kills: 2, problems: [] });
  });
});

// A small share; `npm run prove:undo` does thousands.
test.runIf(canPreview)("X13 predicted is what really happens, and the preview changed nothing", async () => {
  expect(await provePreview(1, 20, PATH)).toMatchObject({ commands: 20, wrong: [], touched: [] });
});

describe.runIf(canPreview).each(installedShells())("X13 a preview for $kind", ({ kind: shellKind, path: shell }) => {
  test.skipIf(shell === null)("X13 has the state of the shell that it is for", async () => {
    const { pool, spawn, run, close } = await openTestPool();
    try {
      const { id } = await spawn({ program: { type: "shell", shell, login: false }, cwd: root, owner: "agent" });
      const set =
        shellKind === "fish" ? "set -gx SHOWN exported; set -g plain value" : "export SHOWN=exported; plain=value";
      await run(id, `${set}; cd build`);
      const state = await pool.shellState(id);
      const { kind, shellPath, cwd, text: stateText } = state;
      const result = await look("", {
        program: { type: "line", line: 'echo "$SHOWN $plain $PWD" > said', kind, shellPath, state: stateText, env: {} },
        cwd,
        dir: join(base, "data", "one"),
      });
      const kept = KeptPreview.open(dir);

      expect(await kept?.diff("0:build/said")).toMatchObject([{ lines: [`+exported value ${cwd}`] }]);
      expect(result).toMatchObject({ exitCode: 0, shellChanges: [], obstacles: [] });
      // The shell is as it was, and takes the next command.
      expect(await run(id, "true")).toMatchObject({ exitCode: 0 });
    } finally {
      await close();
    }
  });
});

describe.runIf(canPreview).each(installedShells())("X13 to read the state of $kind", ({ kind, path: shell }) => {
  test.skipIf(shell === null)("X13 shows nothing, and leaves the shell as it was", async () => {
    const { pool, spawn, run, outputOf, close } = await openTestPool();
    try {
      const { id } = await spawn({ program: { type: "shell", shell, login: false }, cwd: root, owner: "agent" });
      await run(
        id,
        kind === "fish"
          ? "sh -c 'exit 3' last-word"
          : "(exit 3) || ls /invented last-word 2>/dev/null; sh -c 'exit 3' last-word",
      );
      // It also waits until the shell has painted its prompt, which fish does later than it says.
      const state = await pool.shellState(id);
      const before = await pool.history(id, 100_000);
      await pool.shellState(id);
      await pool.shellState(id);

      expect(state.text).toContain("# status 3");
      expect(await pool.history(id, 100_000)).toEqual(before);
      const asks = {
        bash: 'echo "$? $_ $POSIXLY_CORRECT"; history',
        zsh: 'echo "$? $_"; fc -l',
        fish: "echo =$status=; history",
        sh: 'echo "$? $__belay_status"',
      };
      const told = await outputOf(await run(id, asks[kind]));
      expect(told).toMatch(kind === "bash" || kind === "zsh" ? /^3 last-word/m : /\b3\b/);
      expect(told).not.toMatch(/POSIXLY_CORRECT=|\/command-|source '/);
    } finally {
      await close();
    }
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: shells have placeholders, too.
/** Lines that print the same whether or not a terminal is there, with what a shell says of errors and of itself. */
const TELLING: Record<string, string[]> = {
  bash: [
    "invented-tool a b",
    'echo "$0 [${BASH_SOURCE-}] $- $SHLVL"',
    "cd /invented/folder; echo $?",
    'echo "${invented?is not set}"; echo more',
    "echo a; )",
    "false | true; echo ${PIPESTATUS[@]} $#; history | wc -l >/dev/null; type cd",
    "f() { invented-tool; }; f; unset -f f",
    "cat <<E\n$HOME\nE",
    "(exit 3)",
    "echo $?",
  ],
  zsh: [
    "invented-tool a b",
    'echo "$0 $SHLVL"; [[ -o interactive ]] && echo interactive',
    "cd /invented/folder; echo $?",
    'echo "${invented?is not set}"; echo more',
    "echo *.invented; echo more",
    "echo a; )",
    "(exit 3)",
    "echo $?",
  ],
  sh: ['echo "$0"', "cd .; echo $?", "cat <<E\n$HOME\nE", "(exit 3)", "echo $?"],
  fish: ["echo $PWD", "false", "echo $status"],
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: shells have placeholders, too.

/** Where the shell did not take the line, its echo is part of the output; and fish draws its line to the end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about.
const ECHO = /^.*(?:\x1b\[\?2004l\r|\x1b\(B\x1b\[m)/s;

describe.runIf(canPreview).each(installedShells())("X13 what a preview prints for $kind", ({ kind, path: shell }) => {
  test.skipIf(shell === null)("X13 is what the shell itself prints", async () => {
    const { pool, spawn, run, outputOf, close } = await openTestPool();
    try {
      const { id } = await spawn({ program: { type: "shell", shell, login: false }, cwd: root, owner: "agent" });
      for (const [at, line] of (TELLING[kind] ?? []).entries()) {
        const { shellPath, cwd, text: state } = await pool.shellState(id);
        const previewed = await look("", {
          program: { type: "line", line, kind, shellPath, state, env: {} },
          cwd,
          dir: join(base, "data", String(at)),
        });
        const real = await run(id, line);
        const printed = (await outputOf(real)).replace(ECHO, "").replaceAll("\r\n", "\n");

        expect({ line, output: previewed.output, exitCode: previewed.exitCode }).toEqual({
          line,
          output: printed,
          exitCode: real.exitCode,
        });
      }
    } finally {
      await close();
    }
  });
});

/** Processes that have the stage in their arguments. */
function holders(stage: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(stage);
    } catch {
      return false; // it ended
    }
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

import { spawnSync, spawn as start } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { canPreview, PATH, pathsOf, usePreviewScratch } from "../testing/changes/preview-scratch.ts";
import { canRunAs } from "../testing/walls/other-user.ts";
import { KeptPreview } from "./kept-preview.ts";
import type { PreviewResult } from "./preview.ts";

const scratch = usePreviewScratch();
const { look } = scratch;

describe.runIf(canPreview)("X13 a preview", () => {
  test("X13 tells what a command would do, without doing it", async () => {
    const result = await look("sed -i s/one/ONE/ a.txt; rm -r build; mkdir new; echo hi > new/file; echo said; exit 0");
    // An interactive bash says that.
    const said = "said\nexit\n";
    const kept = KeptPreview.open(scratch.dir);

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
    expect([readFileSync(join(scratch.root, "a.txt"), "utf8"), readdirSync(scratch.root)]).toEqual([
      "one\ntwo\n",
      ["a.txt", "build"],
    ]);
  });

  test("X13 counts nothing that others make in the temporary folder meanwhile", async () => {
    const writes = 'i=0; while [ $i -lt 20000 ]; do : > "$0/f$i"; i=$((i + 1)); done';
    const others = start("sh", ["-c", writes, scratch.base], { stdio: "ignore" });
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
    const elsewhere = join(scratch.base, "elsewhere");
    mkdirSync(elsewhere);
    const result = await look(`echo x > /dev/udp/192.0.2.1/9; touch '${elsewhere}/x'`, { roots: [scratch.root] });

    expect(result.attempts).toEqual([
      "It tried to use the network, which a preview does not have.",
      "It tried to write outside of the folders that a preview covers.",
    ]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("X13 reaches no server of this machine, by a Unix socket or by its network", async () => {
    const server = createServer((socket) => socket.end("reached\n"));
    const path = join(scratch.root, "socket");
    const tcp = createServer((socket) => socket.end("reached\n"));
    await Promise.all([once(server.listen(path), "listening"), once(tcp.listen(0, "127.0.0.1"), "listening")]);
    const { port } = tcp.address() as { port: number };
    const connect = `import socket; s = socket.socket(socket.AF_UNIX); s.connect("${path}"); print(s.recv(9))`;
    const line = `python3 -c '${connect}'; cat < /dev/tcp/127.0.0.1/${port}`;
    try {
      expect((await look(line)).output).not.toContain("reached");
      expect((await look(line, { dir: join(scratch.base, "data", "two"), roots: [tmpdir()] })).output).not.toContain(
        "reached",
      );
    } finally {
      server.close();
      tcp.close();
    }
  });

  test("X13 sees none of Belay's own files, and no process outside", async () => {
    mkdirSync(join(scratch.base, "data"));
    writeFileSync(join(scratch.base, "data", "secret"), "s");
    const { output } = await look(`ls '${scratch.base}/data'; kill -0 ${process.pid} || echo no such process`);

    expect(output).toContain("no such process");
    expect(output).not.toContain("secret");
  });

  test("X13 ends what takes too long, or writes too much", async () => {
    const slow = await look("echo begun > begun; exec sleep 600", { timeoutMs: 4_000 });
    const big = await look("head -c 20000000 /dev/zero > big", {
      dir: join(scratch.base, "data", "two"),
      maxBytes: 5_000_000,
    });

    expect(slow).toMatchObject({ isTimedOut: true, exitCode: null });
    expect(pathsOf(slow)).toEqual(["created begun"]);
    expect(slow.obstacles).toEqual(["It was not done after 4 s, the limit of a preview."]);
    expect(big.obstacles).toEqual(["It wrote more than a preview has room for."]);
    expect(readdirSync(scratch.root)).toEqual(["a.txt", "build"]);
  });

  test("X13 says what it would change in its shell", async () => {
    const changed = await look("cd build; export NAME=value; alias ll=ls; f() { :; }; set -u; umask 077");
    const ended = await look("exit 3", { dir: join(scratch.base, "data", "two") });
    const local = await look("(cd build; x=1); for i in 1 2; do echo $i; done > log", {
      dir: join(scratch.base, "data", "three"),
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
        cwd: scratch.root,
        env: { PATH },
        stdin: null,
        roots: [scratch.root],
        ownRoots: [],
        hidden: [],
        readable: [],
        missing: [],
        wall: null,
        dir: scratch.dir,
      },
      ...{ timeoutMs: 3_000, maxBytes: 1_000_000 },
    };
    const script = `import(${JSON.stringify(module)}).then(({ preview }) => { setInterval(() => {}, 1000); return preview(${JSON.stringify(request)}); });`;
    const child = start(process.execPath, ["--import", "tsx", "-e", script], { stdio: "ignore" });
    const stage = join(scratch.dir, "stage");
    await until(() => holders(stage).length > 0);
    child.kill("SIGKILL");

    // At the latest when its time is up: its input ended with the process that asked.
    await until(() => holders(stage).length === 0);
    expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(stage);
    expect(readdirSync(scratch.root)).toEqual(["a.txt", "build"]);
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
    const elsewhere = join(scratch.base, "root");
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

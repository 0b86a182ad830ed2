import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { findCgroupPlaces } from "../limits/cgroup-places.ts";
import { buildLibrary, canBuildLibraries } from "../testing/preloaded-library.ts";
import { openTestPool } from "../testing/test-pool.ts";
import { type Account, accountAbility, findAccount } from "./account.ts";

const places = findCgroupPlaces();
const NAME = `belay-test-${process.pid}`;
const run = (...argv: [string, ...string[]]) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8" });
/** Only root may create a user, and start programs as it. Elsewhere these tests are skipped visibly. */
const canMakeUsers = process.getuid?.() === 0 && run("useradd", "--help").status === 0;

describe.runIf(canMakeUsers)("C14 terminals of another user", () => {
  let account: Account;
  beforeAll(() => {
    expect(run("useradd", "--create-home", "--shell", "/bin/bash", NAME).stderr).toBe("");
    account = findAccount(NAME) as Account;
  });
  afterAll(() => {
    run("userdel", "--remove", NAME);
  });

  async function open() {
    const test = await openTestPool();
    onTestFinished(() => test.close());
    // Outside /tmp, whose files a kernel may protect even from root.
    const workspace = await mkdtemp(join(account.home, "work-"));
    onTestFinished(() => rm(workspace, { recursive: true, force: true }));
    chownSync(workspace, account.uid, account.gid);
    const secret = join(test.folder, "secret");
    writeFileSync(secret, "the gateway's", { mode: 0o600 });
    const { id } = await test.spawn({ account, cwd: workspace });
    const say = async (line: string) => (await test.outputOf(await test.run(id, line))).trim();
    return { ...test, id, secret, workspace, say };
  }

  it("C14 have that user's rights, home and environment, and work like any terminal", async () => {
    const { pool, id, workspace, say, run: type } = await open();

    expect(await say('id -un; echo "$HOME $USER"; pwd')).toBe(`${NAME}\r\n${account.home} ${NAME}\r\n${workspace}`);
    expect(await say("echo made > file; stat -c %U file")).toBe(NAME);
    expect(await say("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status | tr -d '\\t'")).toBe(
      "CapEff:0000000000000000\r\nCapBnd:0000000000000000\r\nNoNewPrivs:1",
    );
    expect(await type(id, "(exit 3)")).toMatchObject({ state: "completed", exitCode: 3, evidence: "marker" });
    expect(await type(id, "echo $ONE", { env: { ONE: "1" } })).toMatchObject({ exitCode: 0 });
    expect(await type(id, "echo $ONE", { cwd: "/" })).toMatchObject({ exitCode: 0, cwd: "/" });
    await pool.resize(id, { cols: 100, rows: 40 });
    expect(await say("stty size < $(tty)")).toBe("40 100");
    expect(await pool.get(id)).toMatchObject({ user: NAME });
    expect(await type(id, "head -1")).toMatchObject({ state: "waiting_input", evidence: "kernel" });
  });

  it.runIf(canBuildLibraries)("C14 a variable of theirs takes effect only once they are that user", async () => {
    const { spawn, run: type, folder, workspace } = await open();
    const library = join(workspace, "library.so");
    buildLibrary(library);
    const [roots, theirs] = [join(folder, "written"), join(workspace, "written")];

    for (const file of [roots, theirs]) {
      const { id } = await spawn({ account, cwd: workspace, env: { LD_PRELOAD: library, WRITES_TO: file } });
      expect(await type(id, "true")).toMatchObject({ exitCode: 0 });
    }

    expect(existsSync(roots)).toBe(false);
    expect(statSync(theirs).uid).toBe(account.uid);
  });

  it.runIf(places.pids && places.memory)(
    "C13 C14 a bomb, a hog and a growing file end only their own terminal",
    async () => {
      const { spawn, run: type, workspace, id: other } = await open();
      const limits = { processes: 60, memoryBytes: 64 << 20, fileBytes: 2 << 20, cpus: null, openFiles: null };
      const { id } = await spawn({ account, cwd: workspace, resources: { ...limits, recordingBytes: null } });

      const grown = await type(id, "head -c 20m /dev/zero > growing");
      const hog = await type(id, "head -c 200m /dev/zero | tail > /dev/null");
      // Bounded, in case the limit does not work.
      const bomb = await type(id, "for i in $(seq 120); do sleep 300 & done; wait");

      expect([grown.limit, hog.limit, bomb.limit]).toEqual(["file-size", "memory", "processes"]);
      expect(bomb.state).toBe("exited");
      expect(await type(other, "true")).toMatchObject({ exitCode: 0 });
    },
  );

  it("C14 cannot touch the gateway's files, sockets and processes", async () => {
    const { folder, secret, say } = await open();
    const door = join(folder, "door");
    mkdirSync(door, { mode: 0o700 });
    const server = createServer().listen(join(door, "host.sock"));
    onTestFinished(() => void server.close());
    chmodSync(folder, 0o755);

    expect(await say(`cat ${secret} 2>&1`)).toContain("Permission denied");
    expect(await say(`echo x >> ${secret} && echo written`)).not.toContain("written");
    const connect = `import socket; socket.socket(socket.AF_UNIX).connect("${door}/host.sock")`;
    expect(await say(`python3 -c '${connect}' 2>&1 | tail -1`)).toContain("Permission");
    expect(await say(`kill -0 ${process.pid} 2>&1`)).toContain("not permitted");
    expect(await say(`cat /proc/${process.pid}/environ 2>&1`)).toContain("Permission denied");
    expect(await say("sudo -n true 2>&1 || su -c true 2>&1 < /dev/null; id -u")).toMatch(new RegExp(`${account.uid}$`));
  });

  it("C14 a link in place of a file that Belay reads is not followed", async () => {
    const { id, secret, say, run: type, pool } = await open();
    // The shell's own folder: files that Belay will read there are replaced by links to the secret, over and over.
    const own = (await say("dirname $HISTFILE")).trim();
    await type(id, `(while :; do for f in ${own}/command-*; do ln -sfn ${secret} $f; done; done) 2> /dev/null & true`);

    const reports = [];
    for (let round = 0; round < 10; round++) {
      reports.push(await type(id, "true", { env: { STOLEN: "1" } }).catch(() => null));
    }

    expect(await say("env | grep -c gateway")).toBe("0");
    expect(existsSync(secret)).toBe(true);
    await pool.kill(id, { reason: "killed" });
    await vi.waitFor(() => expect(existsSync(own)).toBe(false));
    expect(existsSync(secret)).toBe(true);
    await pool.close();
    expect(existsSync(dirname(dirname(own)))).toBe(false);
  });
});

it("C14 a user that does not exist, or is root, is refused with what to do", () => {
  const isRoot = process.getuid?.() === 0;

  expect(accountAbility("no-such-user-here")).toMatchObject({
    status: "missing",
    fix: expect.stringContaining(isRoot ? "useradd" : "as root"),
  });
  expect(accountAbility("root")).toMatchObject({ status: "missing" });
});

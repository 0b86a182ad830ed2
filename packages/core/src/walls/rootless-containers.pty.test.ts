import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findProgram } from "../shell/shells.ts";
import { canRunAs } from "../testing/walls/other-user.ts";
import { SYSTEM_PATH } from "./system-path.ts";

vi.setConfig({ testTimeout: 240_000 });

const NAME = `belay-rootless-${process.pid}`;
const PROGRAM = new URL("../testing/walls/rootless-program.ts", import.meta.url).pathname;
const run = (argv: string[]) => spawnSync(argv[0] ?? "", argv.slice(1), { encoding: "utf8", cwd: "/" });

/** Only root may create a user. Without newuidmap (uidmap) that user has one id alone, which no engine can work with. */
const isPossible =
  process.getuid?.() === 0 &&
  ["useradd", "runuser", "podman", "newuidmap"].every((program) => findProgram(program, SYSTEM_PATH) !== null);

describe.runIf(isPossible)("C16 containers without root", () => {
  const through = ["runuser", "-u", NAME, "--", "env", "-i", `HOME=/home/${NAME}`, `PATH=${SYSTEM_PATH}`];
  beforeAll(() => {
    // It also gives the user a range of ids.
    expect(run(["useradd", "--create-home", "--home-dir", `/home/${NAME}`, "--shell", "/bin/bash", NAME]).stderr).toBe(
      "",
    );
  });
  afterAll(() => {
    // Podman keeps a process for the user's namespace.
    for (const pid of run(["ps", "-u", NAME, "-o", "pid="]).stdout.split(/\s+/).filter(Boolean)) {
      process.kill(Number(pid), "SIGKILL");
    }
    run(["userdel", "--remove", NAME]);
  });

  it("C16 work like those of root, for a user who owns the workspace and has no rights", (context) => {
    if (!canRunAs(through)) context.skip("Another user cannot read the project here.");
    const tsx = createRequire(import.meta.url).resolve("tsx");
    const { stdout, stderr, status } = run([...through, process.execPath, "--import", tsx, PROGRAM]);
    // In many containers and on some machines no user may make namespaces: the reason is in the report.
    if (status === 1 && /does not work here/.test(stderr)) context.skip(stderr.trim());
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    const uid = Number(run(["id", "-u", NAME]).stdout);

    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
      report: { state: "completed", exitCode: 3, evidence: "marker" },
      ids: `${uid} ${uid}`,
      madeBy: uid,
      size: "40 100",
      root: expect.stringContaining("Read-only file system"),
      frozen: expect.stringContaining("Read-only file system"),
      reserved: expect.stringContaining("Read-only file system"),
      rights: "CapEff:0000000000000000 CapBnd:0000000000000000 NoNewPrivs:1",
      network: "1",
      home: "0",
      asking: "kernel",
      survivors: [],
      left: [1, 0],
    });
  });
});

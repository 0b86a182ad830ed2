import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../shell/shells.ts";
import { openTestPool, type TestPool } from "../testing/test-pool.ts";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { Bubblewrap } from "./bubblewrap.ts";
import { SYSTEM_PATH } from "./system-path.ts";
import type { Wall } from "./wall.ts";

/** The system call `keyctl`. */
const KEYCTL = process.arch === "arm64" ? 219 : 250;

const LEAK = "finds a descriptor that was left open";

/**
 * The ways out, one by one. Each script prints ESCAPED if it succeeds: outside the sandbox all of them do,
 * so that none fails inside for an unrelated reason.
 */
const ESCAPES: [name: string, script: string][] = [
  ["reads a key in the person's home", 'grep -q secret "$OUTSIDE/home/.ssh/id_ed25519"'],
  ["writes outside the workspace", 'touch "$OUTSIDE/written"'],
  ["connects to a server on this machine", 'exec 3<>"/dev/tcp/127.0.0.1/$TCP_PORT"'],
  [
    "reaches a socket of Belay's",
    `python3 -c 'import os, socket; socket.socket(socket.AF_UNIX).connect(os.environ["OUTSIDE"] + "/belay.sock")'`,
  ],
  [
    "reaches an abstract socket",
    `python3 -c 'import os, socket; socket.socket(socket.AF_UNIX).connect("\\0belay-test-" + os.environ["TCP_PORT"])'`,
  ],
  ["has a route, such as to a cloud's metadata", "[ $(wc -l < /proc/net/route) -gt 1 ]"],
  [
    "reaches the address of a cloud's metadata",
    `$ENTER python3 -c 'import socket; socket.create_connection(("169.254.169.254", 80), 3)'`,
  ],
  ["looks into a neighbour", 'tr "\\0" "\\n" < "/proc/$NEIGHBOUR/environ" | grep -q NEIGHBOURS=secret'],
  ["signals a neighbour", 'kill -0 "$NEIGHBOUR"'],
  [
    "attaches to a neighbour as a debugger",
    // PTRACE_SEIZE, which does not stop it.
    `[ "$LACKS_PTRACE" = yes ] || python3 -c 'import ctypes, os, sys; sys.exit(ctypes.CDLL(None).ptrace(0x4206, int(os.environ["NEIGHBOUR"]), 0, 0) != 0)'`,
  ],
  [
    "types into its own terminal (TIOCSTI)",
    `python3 -c 'import fcntl, termios; [fcntl.ioctl(0, termios.TIOCSTI, bytes([c])) for c in b"true\\n"]'`,
  ],
  ["mounts", "unshare --user --map-root-user --mount mount -t tmpfs none /mnt"],
  ["makes a namespace of users", "unshare --user true"],
  [
    "runs something with the rights of its owner",
    '[ "$("$WORKSPACE/suid-id" -u)" = 65534 ] || [ "$LACKS_SUID" = yes ]',
  ],
  [
    "goes by way of another process's root",
    'for p in 1 "$NEIGHBOUR"; do grep -q secret "/proc/$p/root$OUTSIDE/home/.ssh/id_ed25519" && exit 0; done; exit 1',
  ],
  [
    "goes by way of /proc/self/cwd/..",
    'cd "$WORKSPACE" && grep -q secret /proc/self/cwd/../outside/home/.ssh/id_ed25519',
  ],
  ["follows a link that leads out", 'ln -sfn "$OUTSIDE" "$WORKSPACE/link" && touch "$WORKSPACE/link/linked"'],
  [
    "uses a copied program",
    'cp /bin/cat "$WORKSPACE/kitten" && "$WORKSPACE/kitten" "$OUTSIDE/home/.ssh/id_ed25519" | grep -q secret',
  ],
  [
    "uses the loader as a program",
    '"$(ls /lib*/*/ld-linux*.so.* /lib*/ld-linux*.so.* 2>/dev/null | head -1)" /bin/cat "$OUTSIDE/home/.ssh/id_ed25519" | grep -q secret',
  ],
  [
    "renames a program that is blocked by name",
    'cp /bin/cat "$WORKSPACE/ls" && PATH="$WORKSPACE:$PATH" && ls "$OUTSIDE/home/.ssh/id_ed25519" | grep -q secret',
  ],
  [
    "swaps a link while it writes",
    // Whether it got out can only be seen from outside: inside, the file would be in a folder that is not there.
    'mkdir -p "$WORKSPACE/swapped"; for i in 1 2 3 4 5 6 7 8 9 10; do ln -sfn "$WORKSPACE/swapped" "$WORKSPACE/swap"; ln -sfn "$OUTSIDE" "$WORKSPACE/swap" & echo x > "$WORKSPACE/swap/raced-$i"; wait; done; echo x > "$WORKSPACE/swap/raced" && [ -e "$OUTSIDE/raced" ]',
  ],
  ["creates a name that is kept free", 'echo x > "$WORKSPACE/.mcp.json"'],
  [
    "puts another folder in the place of a protected one",
    'mv "$WORKSPACE/.git" "$WORKSPACE/moved" && mv "$WORKSPACE/moved" "$WORKSPACE/.git"',
  ],
  ["writes a hook", 'echo x > "$WORKSPACE/.git/hooks/pre-commit"'],
  [LEAK, "ls -l /proc/self/fd | grep -vE ' (0|1|2|3) -> |total' | grep -q ."],
  [
    "asks a name server",
    `python3 -c 'import os, socket; s = socket.socket(type=socket.SOCK_DGRAM); s.settimeout(2); s.connect(("127.0.0.1", int(os.environ["DNS_PORT"]))); s.send(b"a name"); s.recv(9)'`,
  ],
  ["writes to the kernel's settings", '[ -w /proc/sys/kernel/core_pattern ] || [ "$(id -u)" != 0 ]'],
  [
    "gets a socket to the host of a virtual machine",
    `[ "$LACKS_VSOCK" = yes ] || python3 -c 'import socket; socket.socket(40, socket.SOCK_STREAM)'`,
  ],
  [
    "opens an io_uring, which no filter sees into",
    `[ "$LACKS_IO_URING" = yes ] || python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(425, 2, ctypes.create_string_buffer(200)) < 0)'`,
  ],
  [
    "opens the user's keyring",
    `[ "$LACKS_KEYRING" = yes ] || python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(${KEYCTL}, 0, -4, 1) == -1)'`,
  ],
  ["reads the shared memory of others", 'grep -q secret "/dev/shm/belay-$TCP_PORT"'],
  [
    "attaches shared memory of others (System V)",
    `python3 -c 'import ctypes, os, sys; sys.exit(ctypes.CDLL(None).shmget(int(os.environ["TCP_PORT"]), 0, 0) == -1)'`,
  ],
  [
    "has a neighbour signalled when a file is ready",
    `python3 -c 'import fcntl, os; fcntl.fcntl(0, fcntl.F_SETOWN, int(os.environ["NEIGHBOUR"]))'`,
  ],
  ["takes hold of a neighbour", `python3 -c 'import os; os.pidfd_open(int(os.environ["NEIGHBOUR"]))'`],
  [
    "writes a protected file by another name (hard link)",
    'ln -f "$WORKSPACE/.git/hooks/sample" "$WORKSPACE/linked-hook" && echo x >> "$WORKSPACE/linked-hook"',
  ],
  ["sees a variable of Belay's own", '[ "$BELAY_SECRET" = outside ]'],
];

const METADATA_ADDRESS = "ip link set lo up && ip address add 169.254.169.254/32 dev lo";
const METADATA_SERVER =
  'import socket; s = socket.create_server(("169.254.169.254", 80)); print("ready", flush=True); [s.accept() for _ in iter(int, 1)]';

let base: string;
let neighbour: ChildProcess;
let metadata: ChildProcess | null = null;
let dns: Socket | null = null;
let sharedMemory: ChildProcess | null = null;
let sharedFile = "";
const servers: ReturnType<typeof createServer>[] = [];
let outside: { test: TestPool; id: `pty-${string}` };
let inside: { test: TestPool; id: `pty-${string}` };

/** No packet is sent to the real address: in a network of its own, this machine has it itself. */
async function openMetadata(): Promise<string> {
  if (!findProgram("ip", SYSTEM_PATH)) return "true"; // There is no way to make one.
  const program = `${METADATA_ADDRESS} && exec python3 -c '${METADATA_SERVER}'`;
  metadata = spawn("unshare", ["--user", "--map-root-user", "--net", "sh", "-c", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(metadata.stdout as NonNullable<typeof metadata.stdout>, "data");
  return `nsenter --user --net --preserve-credentials --target ${metadata.pid}`;
}

/** A segment that is removed when the program that made it gets a line. */
async function openSharedMemory(key: number): Promise<ChildProcess> {
  const make = `import ctypes, sys
c = ctypes.CDLL(None)
made = c.shmget(${key}, 4096, 0o1600)
print("ready", flush=True)
sys.stdin.readline()
c.shmctl(made, 0, None)`;
  const program = spawn("python3", ["-c", make], { stdio: ["pipe", "pipe", "inherit"] });
  await once(program.stdout as NonNullable<typeof program.stdout>, "data");
  return program;
}

/** What this kernel was built without, or has turned off, cannot be shown to work outside. */
function lacksOfKernel(): Record<string, string> {
  const tries = {
    LACKS_VSOCK: "import socket; socket.socket(40, socket.SOCK_STREAM)",
    LACKS_IO_URING:
      "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(425, 2, ctypes.create_string_buffer(200)) < 0)",
    LACKS_KEYRING: `import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(${KEYCTL}, 0, -4, 1) == -1)`,
  };
  const lacking = Object.entries(tries).filter(([, code]) => spawnSync("python3", ["-c", code]).status !== 0);
  return Object.fromEntries(lacking.map(([name]) => [name, "yes"]));
}

describe.runIf(hasSandbox)("C4 escapes from the sandbox: each works outside, and fails inside", () => {
  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "belay-escapes-")));
    const [workspace, out, own] = ["workspace", "outside", "own"].map((name) => join(base, name));
    if (!workspace || !out || !own) throw new Error("There are three folders.");
    for (const folder of [join(out, "home/.ssh"), join(workspace, ".git/hooks"), own])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(out, "home/.ssh/id_ed25519"), "a secret key");
    writeFileSync(join(workspace, ".git/hooks/sample"), "");
    const isRoot = process.getuid?.() === 0;
    copyFileSync("/usr/bin/id", join(workspace, "suid-id"));
    if (isRoot) chownSync(join(workspace, "suid-id"), 65_534, 65_534);
    chmodSync(join(workspace, "suid-id"), 0o4755);
    neighbour = spawn("sleep", ["600"], { env: { PATH: process.env.PATH, NEIGHBOURS: "secret" } });
    const tcp = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    const { port } = tcp.address() as { port: number };
    for (const path of [join(out, "belay.sock"), `\0belay-test-${port}`]) {
      const server = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => server.listen(path, resolve));
      servers.push(server);
    }
    servers.push(tcp);
    sharedFile = `/dev/shm/belay-${port}`;
    writeFileSync(sharedFile, "secret");
    sharedMemory = await openSharedMemory(port);
    dns = createSocket("udp4").on("message", (_, { port: from, address }) => dns?.send("answer", from, address));
    await new Promise<void>((resolve) => dns?.bind(0, "127.0.0.1", resolve));
    const env = {
      OUTSIDE: out,
      WORKSPACE: workspace,
      TCP_PORT: String(port),
      NEIGHBOUR: String(neighbour.pid),
      DNS_PORT: String(dns.address().port),
    };
    const baseEnv = {
      PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
      HOME: join(out, "home"),
      LANG: "C.UTF-8",
      BELAY_SECRET: "outside",
    };
    const spec: Wall = {
      shown: { isolation: "sandbox", network: "none" },
      writable: [workspace],
      readable: [],
      frozen: [],
      reserved: [`${workspace}/.mcp.json`, `${workspace}/.git/hooks/`],
      hidden: [own],
      home: join(own, "home"),
      env: [],
      hosts: [],
    };
    const test = await openTestPool({
      baseEnv,
      dataDir: join(own, "terminals"),
      providers: [new Bubblewrap(join(own, "walls")).provider],
    });
    for (const [index, script] of ESCAPES.map(([, script]) => script).entries()) {
      writeFileSync(
        join(workspace, `try-${index}.sh`),
        `if ( ${script}\n) 2>/dev/null; then echo ESCAPED; else echo kept in; fi\n`,
      );
    }
    // Outside, every way must work: what only root can do counts as done for others.
    const open = await test.spawn({
      cwd: workspace,
      env: {
        ...env,
        ENTER: await openMetadata(),
        ...(isRoot ? {} : { LACKS_SUID: "yes", LACKS_PTRACE: "yes" }),
        ...lacksOfKernel(),
      },
    });
    outside = { test, id: open.id };
    // Names are reserved only while the sandbox is up, so it is tried without it first.
    inside = { test, id: "pty-0" };
    for (const [index] of ESCAPES.entries()) outcomes.set(`outside ${index}`, await attempt(outside, index, workspace));
    // No terminal of ours leaves one open, so this is shown with a plain program.
    const leaking = ESCAPES.findIndex(([name]) => name === LEAK);
    const stdio = ["ignore", "pipe", "ignore", "ignore", "ignore"] as const;
    const { stdout } = spawnSync("bash", [join(workspace, `try-${leaking}.sh`)], {
      stdio: [...stdio],
      encoding: "utf8",
    });
    outcomes.set(`outside ${leaking}`, stdout.trim());
    for (const name of [".mcp.json", ".git/hooks/pre-commit", "link", "swap", "linked-hook"])
      rmSync(join(workspace, name), { force: true });
    for (const name of readdirSync(out).filter((name) => /^(raced|written|linked)/.test(name))) rmSync(join(out, name));
    inside.id = (await test.spawn({ cwd: workspace, env, provider: "bubblewrap", wall: spec })).id;
    for (const [index] of ESCAPES.entries()) outcomes.set(`inside ${index}`, await attempt(inside, index, workspace));
    leftOutside = readdirSync(out).sort();
  }, 240_000);

  afterAll(async () => {
    await outside?.test.close();
    neighbour?.kill("SIGKILL");
    metadata?.kill("SIGKILL");
    dns?.close();
    sharedMemory?.stdin?.end("end\n");
    rmSync(sharedFile, { force: true });
    for (const server of servers) server.close();
    rmSync(base, { recursive: true, force: true });
  });

  const outcomes = new Map<string, string>();
  let leftOutside: string[] = [];

  it("C4 nothing of all that is left outside", () => {
    expect(leftOutside).toEqual(["belay.sock", "home"]);
  });

  async function attempt({ test, id }: typeof outside, index: number, workspace: string): Promise<string> {
    const report = await test.untilFinished(await test.run(id, `bash ${workspace}/try-${index}.sh`));
    // More may follow: the shell negotiating bracketed paste, or showing what was typed into its terminal.
    return /^(ESCAPED|kept in)\s*$/m.exec(await test.outputOf(report))?.[1] ?? "";
  }

  it.each(ESCAPES.map(([name], index) => [name, index] as const))("C4 a program that %s", (_name, index) => {
    expect({ outside: outcomes.get(`outside ${index}`), inside: outcomes.get(`inside ${index}`) }).toEqual({
      outside: "ESCAPED",
      inside: "kept in",
    });
  });
});

import { afterEach, expect, test, vi } from "vitest";
import { testWall } from "../testing/walls/test-wall.ts";
import type { ContainerRequest } from "./container.ts";
import { containerArgs } from "./container-args.ts";
import type { Wall } from "./wall.ts";

afterEach(() => vi.restoreAllMocks());

function argsAs(
  uid: number,
  network: Wall["shown"]["network"],
  program: "podman" | "docker" = "podman",
  overrides: Partial<ContainerRequest> = {},
): string[] {
  vi.spyOn(process, "getuid").mockReturnValue(uid);
  const spec = { program, runtime: "some-runtime", image: "some-image", user: null, readOnlyRoot: true };
  const wall = testWall("/nowhere/workspace", "/nowhere/own", { shown: { isolation: "container", network } });
  const own = { readable: ["/usr"], writable: [] };
  const request = {
    name: "n",
    argv: ["/bin/true", "-x"] as [string, string],
    cwd: "/",
    env: {},
    wall,
    own,
    networkPid: 7,
  };
  return containerArgs(
    { ...request, hasTerminal: false, ...overrides },
    { spec, label: "l", pidFile: "/nowhere/pid", idFile: "/nowhere/id" },
  );
}

const RESOURCES = {
  processes: 50,
  memoryBytes: 64_000_000,
  cpus: 1.5,
  openFiles: 256,
  fileBytes: 1_000_000,
  recordingBytes: null,
};
const TERMINAL = { hasTerminal: true, resources: RESOURCES, env: { PATH: "/bin", SOME_TOKEN: "secret", LANG: "C" } };

test("C16 without root, the user inside is the one outside, so that the workspace is its own", () => {
  expect(argsAs(1234, "none")).toContain("--userns=keep-id");
  expect(argsAs(0, "none")).not.toContain("--userns=keep-id");
  expect(argsAs(1234, "none", "docker")).not.toContain("--userns=keep-id");
});

test("C16 a list of hosts needs root and Podman, and is refused before anything starts", () => {
  expect(argsAs(0, "allowlist")).toContain("--network=ns:/proc/7/ns/net");
  expect(() => argsAs(1234, "allowlist")).toThrow("needs Belay to run as root");
  expect(() => argsAs(0, "allowlist", "docker")).toThrow("needs Podman");
});

test("C16 Docker gets what its reference of `docker run` describes, and nothing that Podman alone has", () => {
  expect(argsAs(0, "none", "docker", TERMINAL)).toEqual([
    "run",
    "--rm",
    "--interactive",
    "--tty",
    "--detach-keys=ctrl-^,ctrl-@,ctrl-^,ctrl-_",
    "--runtime",
    "some-runtime",
    "--cidfile=/nowhere/id",
    "--name=n",
    "--label=belay=l",
    "--pull=never",
    "--log-driver=none",
    "--entrypoint=",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    `--user=0:${process.getgid?.() ?? 0}`,
    "--read-only",
    "--tmpfs=/tmp:exec",
    "--tmpfs=/run:exec",
    "--tmpfs=/var/tmp:exec",
    "--network=none",
    "--pids-limit=50",
    "--memory=64000000b",
    "--memory-swap=64000000b",
    "--cpus=1.5",
    "--ulimit=nofile=256:256",
    "--ulimit=nproc=50:50",
    "--ulimit=fsize=1000000:1000000",
    "--env",
    "BELAY_CARRIED_SOME_TOKEN",
    "--env",
    "BELAY_CARRIED_LANG",
    "--env=HOME=/nowhere/own/home",
    "--mount",
    "type=bind,source=/nowhere/workspace,destination=/nowhere/workspace",
    "--mount",
    "type=bind,source=/nowhere/own/home,destination=/nowhere/own/home",
    "--mount",
    "type=bind,source=/usr,destination=/usr,readonly",
    "--workdir=/",
    "some-image",
    // Gives the variables their names back, and becomes the program.
    "/bin/bash",
    "--noprofile",
    "--norc",
    "-pc",
    expect.stringContaining('exec "$0" "$@"'),
    "/bin/true",
    "-x",
  ]);
});

test("C16 Podman's differs where the engines do: the runtime, the keys to leave, and the file with the process id", () => {
  const podman = argsAs(0, "none", "podman", TERMINAL);
  const docker = argsAs(0, "none", "docker", TERMINAL);

  expect(podman.slice(0, 3)).toEqual(["--runtime", "some-runtime", "run"]);
  expect(podman.filter((word) => !docker.includes(word))).toEqual(["--detach-keys=", "--pidfile=/nowhere/pid"]);
  expect(docker.filter((word) => !podman.includes(word))).toEqual([expect.stringContaining("--detach-keys=ctrl-")]);
});

import { afterEach, expect, test, vi } from "vitest";
import { testWall } from "../testing/sandbox-pool.ts";
import { containerArgs } from "./container-args.ts";
import type { Wall } from "./wall.ts";

afterEach(() => vi.restoreAllMocks());

function argsAs(uid: number, network: Wall["shown"]["network"], program: "podman" | "docker" = "podman"): string[] {
  vi.spyOn(process, "getuid").mockReturnValue(uid);
  const spec = { program, runtime: null, image: "some-image", user: null, readOnlyRoot: true };
  const wall = testWall("/nowhere/workspace", "/nowhere/own", { shown: { isolation: "container", network } });
  const own = { readable: [], writable: [] };
  const request = { name: "n", argv: ["/bin/true"] as [string], cwd: "/", env: {}, wall, own, networkPid: 7 };
  return containerArgs({ ...request, hasTerminal: false }, { spec, label: "l", pidFile: "/nowhere/pid" }).args;
}

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

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { RELEASES } = createRequire(import.meta.url)("./own-node.cjs");
const RECOMMENDED = RELEASES[`${process.platform}-${process.arch}`];

test("G1 on a Node that is too old, Belay downloads its own from the registry and uses it from then on", async () => {
  const project = temporaryProject();
  const registry = await openRegistry(project.dir, "#!/bin/sh\necho v24.99.0\n");
  project.expectIntegrity(registry.integrity);

  const first = await project.findNode({ npm_config_registry: registry.url });
  registry.close();
  const again = await project.findNode({ npm_config_registry: registry.url });

  expect(first).toEqual({
    code: 0,
    stdout: `${project.ownNode}\n`,
    stderr: `Fetching Node ${RECOMMENDED.version} from the npm registry (about 60 MB).\n`,
  });
  expect(again).toEqual({ code: 0, stdout: `${project.ownNode}\n`, stderr: "" });
  expect((await run(join(project.dir, "node_modules/.bin/node"), ["-v"])).stdout).toBe("v24.99.0\n");
});

test("G1 a Node with the wrong digest is refused and removed", async () => {
  const project = temporaryProject();
  const registry = await openRegistry(project.dir, "#!/bin/sh\necho v24.99.0 with something else in it\n");

  const ended = await project.findNode({ npm_config_registry: registry.url });

  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("EINTEGRITY");
  expect(ended.stderr).toContain("Belay needs Node 22.12 or newer, and recommends Node 24; this is Node 18.20.0");
  expect(existsSync(join(project.dir, "node_modules/.bin/node"))).toBe(false);
  expect(readdirSync(join(project.dir, "node_modules/.cache"))).toEqual([]);
});

test("G1 belay started by a client on a Node that is too old says so, and continues on its own", async () => {
  const project = temporaryProject();
  project.haveOwnNode();
  project.buildCli("console.log(process.argv.slice(2).join(' '), process.versions.node); process.exitCode = 7;");

  const ended = await project.belay(["mcp", "--toolset", "pool"]);

  expect(ended).toEqual({
    code: 7,
    stdout: `mcp --toolset pool ${process.versions.node}\n`,
    stderr: `belay: Node 18.20.0 is too old; going on with ${project.ownNode}\n`,
  });
});

/** The scripts that find a Node, copied to a temporary folder and started with a Node that claims to be 18.20. */
function temporaryProject() {
  const dir = mkdtempSync(join(tmpdir(), "belay-node-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const bin = "apps/agent-gateway/bin/belay.mjs";
  const beside = ["hide-secrets.mjs", "program.mjs"].map((name) => `apps/agent-gateway/bin/${name}`);
  for (const file of ["scripts/own-node.cjs", "scripts/native-modules.cjs", bin, ...beside])
    cpSync(join(ROOT, file), join(dir, file), { recursive: true });
  const pretend = join(dir, "pretend.cjs");
  writeFileSync(pretend, 'Object.defineProperty(process.versions, "node", { value: "18.20.0" });');
  const home = join(dir, "node_modules", ".cache", `node-${RECOMMENDED.version}`);
  const ownNode = join(home, "node_modules", RECOMMENDED.name, "bin", "node");
  const start = (file: string, args: string[], env: Record<string, string> = {}) =>
    run(process.execPath, ["--require", pretend, join(dir, file), ...args], { HOME: dir, ...env });
  return {
    dir,
    ownNode,
    findNode: (env: Record<string, string>) => start("scripts/own-node.cjs", [], env),
    belay: (args: string[]) => start(bin, args),
    expectIntegrity: (integrity: string) => {
      const script = join(dir, "scripts/own-node.cjs");
      writeFileSync(script, readFileSync(script, "utf8").replace(RECOMMENDED.integrity, integrity));
    },
    haveOwnNode: () => {
      mkdirSync(join(ownNode, ".."), { recursive: true });
      symlinkSync(process.execPath, ownNode);
    },
    buildCli: (text: string) => {
      mkdirSync(join(dir, "apps/agent-gateway/dist"));
      writeFileSync(join(dir, "apps/agent-gateway/dist/cli.js"), text);
    },
  };
}

/** A local registry with one package: the recommended Node, with `program` in its place. */
async function openRegistry(dir: string, program: string) {
  const { name, version } = RECOMMENDED;
  const content = join(dir, "package");
  mkdirSync(join(content, "bin"), { recursive: true });
  writeFileSync(join(content, "bin", "node"), program, { mode: 0o755 });
  writeFileSync(join(content, "package.json"), JSON.stringify({ name, version }));
  await run("tar", ["-czf", join(dir, "package.tgz"), "-C", dir, "package"]);
  const tarball = readFileSync(join(dir, "package.tgz"));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;

  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return response.end(tarball);
    const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity };
    response.end(JSON.stringify({ name, versions: { [version]: { name, version, dist } } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => void server.close();
  onTestFinished(close);
  return { url, integrity, close };
}

function run(program: string, args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: 50_000 };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

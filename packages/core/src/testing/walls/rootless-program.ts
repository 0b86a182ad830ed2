import { spawnSync } from "node:child_process";
import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Containers } from "../../walls/container.ts";
import { openTestPool } from "../test-pool.ts";
import { abandonContainer } from "./abandon-container.ts";
import { openTestContainers } from "./container-image.ts";
import { testWall } from "./test-wall.ts";

/**
 * Run as a user without rights: works in a container, and prints what was seen. It is a program of its own because a test
 * cannot become another user.
 */
const containers = openTestContainers({ mayBeRootless: true });
if (!containers) process.exit(1);
const { engine, image } = containers;
const [workspace, own] = ["workspace-", "own-"].map((name) => mkdtempSync(join(homedir(), name))) as [string, string];
writeFileSync(join(workspace, ".env"), "SECRET=1");
const wall = testWall(workspace, own, {
  shown: { isolation: "container", network: "none" },
  frozen: [join(workspace, ".env")],
  reserved: [`${workspace}/.mcp.json`],
  container: { ...engine, image, user: null, readOnlyRoot: true },
});
const walls = join(own, "walls");
const test = await openTestPool({ dataDir: join(own, "terminals"), providers: [new Containers(walls).provider] });
const open = () => test.spawn({ cwd: workspace, provider: "container", wall });
const listed = () =>
  spawnSync("podman", ["ps", "-aq", "--filter", `volume=${workspace}`], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean).length;

const { id } = await open();
const say = async (line: string) => (await test.outputOf(await test.run(id, line))).trim().replaceAll("\r", "");
const report = await test.run(id, "echo here > made; (exit 3)");
await test.pool.resize(id, { cols: 100, rows: 40 });
const seen = {
  report: { state: report.state, exitCode: report.exitCode, evidence: report.evidence },
  // The user inside is the one outside.
  ids: await say('echo "$(id -u) $(stat -c %u made)"'),
  madeBy: statSync(join(workspace, "made")).uid,
  size: await say("until [ \"$(stty size)\" = '40 100' ]; do :; done; stty size"),
  root: await say("echo x > /usr/made && echo written"),
  frozen: await say("echo x >> .env && echo written"),
  reserved: await say("echo x > .mcp.json && echo written"),
  rights: await say("grep -E '^(CapEff|CapBnd|NoNewPrivs):' /proc/self/status | tr -d '\\t' | tr '\\n' ' '"),
  network: await say("grep -c : /proc/net/dev"),
  home: await say("ls /home /root 2>/dev/null | grep -c ssh"),
  asking: (await test.run(id, "head -1")).evidence,
};
await test.pool.write(id, "an answer\n");
const killed = await test.pool.kill(id, { reason: "killed" });

// As a host does that is killed before it can release anything.
const left = `belay-left-${process.pid}`;
const { argv, env } = new Containers(walls).wrap({
  name: left,
  argv: ["/bin/sleep", "600"],
  cwd: workspace,
  env: {},
  wall,
  own: { readable: [], writable: [] },
  hasTerminal: false,
});
const at = argv.indexOf("run");
spawnSync(argv[0], [...argv.slice(1, at), "run", "-d", ...argv.slice(at + 1)], { env });
const before = listed();
abandonContainer(walls, left);
await new Containers(walls).endLeft();
console.log(JSON.stringify({ ...seen, survivors: killed.survivors, left: [before, listed()] }));
await test.close();
containers.remove();

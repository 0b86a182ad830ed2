import { existsSync } from "node:fs";
import { checkBooted } from "./deploy/booted.mjs";
import { checkCluster } from "./deploy/cluster/compose-cluster.mjs";
import { checkCompose } from "./deploy/compose.mjs";
import { checkContainer } from "./deploy/container.mjs";
import { checkProxies } from "./deploy/proxy.mjs";
import { checkUnits } from "./deploy/units.mjs";
import { readOptions } from "./options.mjs";
import { isOnPath, setUp } from "./setup.mjs";

const CHECKS = {
  units: { needs: ["systemd-analyze", "npm"], run: checkUnits },
  booted: { needs: ["mmdebstrap", "systemd-nspawn", "nsenter"], run: checkBooted },
  proxy: { needs: ["openssl"], run: checkProxies },
  container: { needs: ["podman", "runc", "tini", "git"], run: checkContainer },
  compose: { needs: ["docker-compose", "podman", "runc", "tini", "git", "caddy"], run: checkCompose },
  cluster: {
    needs: ["docker-compose", "podman", "runc", "tini", "git", "caddy", "nats-server", "setpriv"],
    run: checkCluster,
  },
};
const names = Object.keys(CHECKS);
const { wanted } = readOptions({
  usage: `npm run deploy [-- ${names.join(" ")}]: tests the files in deploy/ and the Dockerfile on the real programs`,
  takes: names,
});

await setUp();
let isFailed = false;
for (const [name, { needs, run }] of Object.entries(CHECKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  const missing = needs.filter((program) => !isOnPath(program) && !existsSync(`/usr/sbin/${program}`));
  if (missing.length > 0) {
    console.log(`left out: ${missing.join(", ")} missing`);
    continue;
  }
  try {
    for await (const line of run()) console.log(`  ${line}`);
  } catch (error) {
    isFailed = true;
    console.error(error);
  }
}
process.exit(isFailed ? 1 : 0);

import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installNode } from "../release/empty-root.mjs";
import { packInto } from "../release/stage.mjs";
import { ROOT } from "../run.mjs";
import { bootMachine, makeDebian } from "./machine.mjs";

const CLIENT = fileURLToPath(new URL("named-shell.mjs", import.meta.url));
const BELAY = "sudo -u belay BELAY_DATA_DIR=/var/lib/belay/data belay";
const URL_INSIDE = "http://127.0.0.1:7400";

/** Installs the units on a machine with a running systemd, and uses, restarts, upgrades and removes them there. */
export async function* checkBooted() {
  const dir = mkdtempSync(join(tmpdir(), "belay-booted-"));
  const root = join(dir, "root");
  let machine;
  try {
    await makeDebian(root);
    await installNode(root, realpathSync(process.execPath));
    const tarball = await packInto(dir);
    cpSync(tarball, join(root, "root", basename(tarball)));
    cpSync(join(ROOT, "deploy/systemd"), join(root, "root/systemd"), { recursive: true });
    machine = await bootMachine(root);
    yield `systemd ${(await machine.sh("systemctl --version")).split(" ")[1]} runs`;
    yield* useUnits(machine, `sh systemd/install.sh ${basename(tarball)}`);
    yield* removeUnits(machine);
  } finally {
    await machine?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function* useUnits(machine, install) {
  await machine.sh(install);
  await untilReady(machine);
  const { token } = readJson(await machine.sh(`${BELAY} agent add probe --isolation none --json`));
  const { token: walled } = readJson(await machine.sh(`${BELAY} agent add walled --isolation sandbox --json`));
  yield "install.sh starts both services; agents with and without a sandbox can be added";

  await execute(machine, token, "kept", "KEPT=$((6 * 7)); id -un; echo script > /tmp/belay-shared");
  const gateway = await mainProcess(machine, "belay");
  await machine.sh(`nsenter --target ${gateway} --mount test -s /tmp/belay-shared`);
  yield "an agent runs a command as belay, and the gateway sees the same /tmp";
  const inside = await execute(machine, walled, "walled", "echo in-the-wall; ls /var/lib");
  if (!inside.includes("in-the-wall") || inside.includes("systemd")) throw new Error(`no wall: ${inside}`);
  yield "an agent runs a command behind its wall";

  const host = await mainProcess(machine, "belay-host");
  await machine.sh("systemctl restart belay");
  await untilReady(machine);
  if (!(await execute(machine, token, "kept", "echo kept=$KEPT")).includes("kept=42"))
    throw new Error("the shell is new");
  yield "restarted: the shell still knows its variable";
  await machine.sh("systemctl kill --signal=SIGKILL belay");
  await untilReady(machine);
  if (!(await execute(machine, token, "kept", "echo still=$KEPT")).includes("still=42"))
    throw new Error("the shell is new");
  yield "killed with SIGKILL: systemd starts it again, and the shell is the same";

  await machine.sh(install);
  await untilReady(machine);
  if ((await mainProcess(machine, "belay-host")) !== host) throw new Error("install.sh restarted the host");
  if (!(await execute(machine, token, "kept", "echo again=$KEPT")).includes("again=42"))
    throw new Error("the shell is new");
  yield "install.sh again: agents and shells are kept";
}

async function* removeUnits(machine) {
  for (const times of ["first", "second"]) {
    await machine.sh("sh systemd/uninstall.sh");
    const left = await machine.sh("systemctl list-units --all --no-legend 'belay*'; pgrep -u belay -l || true");
    if (left !== "") throw new Error(`the ${times} uninstall.sh left ${left}`);
  }
  await machine.sh("test -d /var/lib/belay/data && test ! -e /usr/local/bin/belay");
  yield "uninstall.sh, twice: no unit and no process is left, the data is";
  await machine.sh("sh systemd/uninstall.sh --purge && test ! -e /var/lib/belay && ! id belay");
  yield "uninstall.sh --purge: data and user are gone";
}

async function execute(machine, token, session, command) {
  const { code, text } = await machine.withItsNetwork(process.execPath, CLIENT, URL_INSIDE, token, session, command);
  if (code !== 0) throw new Error(text);
  return text;
}

function mainProcess(machine, unit) {
  return machine.sh(`systemctl show --property MainPID --value ${unit}`);
}

async function untilReady(machine) {
  await machine.sh(
    `for n in $(seq 100); do node -e "fetch('${URL_INSIDE}/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))" && exit; sleep 0.2; done; journalctl -u belay -u belay-host --no-pager | tail -40; exit 1`,
  );
}

function readJson(text) {
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

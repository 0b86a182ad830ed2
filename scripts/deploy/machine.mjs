import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../run.mjs";

const PACKAGES = "systemd,systemd-sysv,dbus,sudo,procps,git,bubblewrap,libstdc++6,libatomic1";
const BOOT_TIMEOUT_MS = 60_000;
const POLL_MS = 300;

/** Puts a small Debian with systemd below `folder`. Needs Debian's package archive and takes a minute or two. */
export async function makeDebian(folder) {
  mkdirSync(folder);
  const args = ["--variant=minbase", `--include=${PACKAGES}`, "bookworm", folder];
  const { code, text } = await run("mmdebstrap", args, { output: "collect" });
  if (code !== 0) throw new Error(`mmdebstrap: ${text.slice(-2000)}`);
}

/**
 * Boots systemd in `folder`, as the first process of a machine with a network of its own.
 *
 * A real machine lets its users' namespaces write below /proc/sys/user, which sandboxes need; a container of
 * systemd-nspawn does so only on request.
 */
export async function bootMachine(folder) {
  const options = ["--quiet", "--boot", "--register=no", "--keep-unit", "--private-network", "--console=pipe"];
  const nspawn = spawn("systemd-nspawn", [...options, "--directory", folder], {
    env: { ...process.env, SYSTEMD_NSPAWN_API_VFS_WRITABLE: "1" },
    stdio: "ignore",
  });
  const ended = once(nspawn, "exit");
  const init = await untilFound(() => childOf(nspawn.pid), nspawn);
  const enter = (namespaces, command) =>
    run("nsenter", ["--target", init, ...namespaces, ...command], { output: "collect" });

  const machine = {
    /** Runs a line of shell in there as root; throws if it fails. */
    sh: async (line) => {
      const env = ["env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"];
      const { code, text } = await enter(["--all"], [...env, "sh", "-c", `cd /root && ${line}`]);
      if (code !== 0) throw new Error(`${line}: ${text}`);
      return text.trim();
    },
    /** Runs a program of this machine in the network of that one. */
    withItsNetwork: (...command) => enter(["--net"], command),
    stop: async () => {
      await machine.sh("systemctl poweroff").catch(() => nspawn.kill("SIGKILL"));
      await ended;
    },
  };
  await untilFound(() => machine.sh("systemctl is-system-running").catch(() => null), nspawn);
  return machine;
}

function childOf(parent) {
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(join("/proc", name, "stat"), "utf8")
        .split(") ")[1]
        ?.split(" ");
      if (Number(fields?.[1]) === parent && readFileSync(join("/proc", name, "comm"), "utf8").trim() === "systemd")
        return name;
    } catch {
      // It ended while we looked.
    }
  }
  return null;
}

async function untilFound(find, child) {
  const deadline = performance.now() + BOOT_TIMEOUT_MS;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (child.exitCode !== null) throw new Error("systemd-nspawn ended: systemd does not boot here");
    if (performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error("systemd did not finish booting within a minute");
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packInto } from "../release/stage.mjs";
import { ROOT, run } from "../run.mjs";

const UNITS = ["belay.service", "belay-host.service", "belay-machine.service"];
/** Highest accepted exposure, by systemd's rating. All run programs of agents in sandboxes, which need namespaces and mounts. */
const MAX_EXPOSURE = { "belay.service": 4.8, "belay-host.service": 5.2, "belay-machine.service": 5.2 };
/** Known from systemd 254 on; before that it is ignored, as the unit says. */
const NEWER_KEY = "Unknown key 'DelegateSubgroup'";

/** Checks the units with systemd, and the install and uninstall scripts in a temporary root. */
export async function* checkUnits() {
  const dir = mkdtempSync(join(tmpdir(), "belay-units-"));
  try {
    const tarball = await packInto(dir);
    const dest = join(dir, "root");
    const install = () => script("install.sh", [tarball], dest);
    await install();
    const settings = join(dest, "etc/belay/belay.env");
    writeFileSync(settings, "BELAY_PORT=7499\n");
    await install();
    if (readFileSync(settings, "utf8") !== "BELAY_PORT=7499\n") throw new Error("install.sh overwrote the settings");
    const version = await ok(run(join(dest, "usr/local/bin/belay"), ["--version"], { output: "collect" }));
    yield `install.sh, twice: belay ${version.text.trim().split("\n").at(-1)}, settings kept`;

    const machine = join(dest, "etc/belay/machine.env");
    for (const address of ["https://belay.example.com", "https://other.example.com"])
      await script("install.sh", ["--join", address, tarball], dest);
    if (readFileSync(machine, "utf8") !== "BELAY_JOIN_URL=https://belay.example.com\n")
      throw new Error("install.sh --join did not keep the first gateway");
    yield "install.sh --join, twice: the first gateway kept";

    for (const unit of UNITS) yield await verifyUnit(dir, unit);

    await script("uninstall.sh", [], dest);
    await script("uninstall.sh", [], dest);
    if (!existsSync(settings) || existsSync(join(dest, "usr/local/bin/belay")))
      throw new Error("uninstall.sh removed too much or too little");
    await script("uninstall.sh", ["--purge"], dest);
    if (existsSync(join(dest, "var/lib/belay"))) throw new Error("uninstall.sh --purge left the data");
    yield "uninstall.sh, twice, and --purge";
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function verifyUnit(dir, unit) {
  // systemd checks that the program exists; here it is not installed.
  const copy = join(dir, "units", unit);
  mkdirSync(join(dir, "units"), { recursive: true });
  const program = join(dir, "belay");
  writeFileSync(program, "#!/bin/sh\n");
  chmodSync(program, 0o755);
  for (const file of UNITS) {
    cpSync(join(ROOT, "deploy/systemd", file), join(dir, "units", file));
    const text = readFileSync(join(dir, "units", file), "utf8").replaceAll("/usr/local/bin/belay", program);
    writeFileSync(join(dir, "units", file), text);
  }
  const verified = await ok(run("systemd-analyze", ["verify", "--man=no", copy], { output: "collect" }));
  const about = verified.text.split("\n").filter((line) => line.includes("belay") && !line.includes(NEWER_KEY));
  if (about.length > 0) throw new Error(about.join("\n"));
  const args = ["security", "--offline=true", "--no-pager", copy];
  const { text } = await run("systemd-analyze", args, { output: "collect" });
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(text) ?? [];
  if (!exposure || Number(exposure) > MAX_EXPOSURE[unit]) throw new Error(`${unit}: exposure ${exposure}\n${text}`);
  return `${unit}: verified, exposure ${exposure} of 10`;
}

function script(name, args, dest) {
  const env = { ...process.env, DESTDIR: dest };
  return ok(run("sh", [join(ROOT, "deploy/systemd", name), ...args], { output: "collect", env }));
}

async function ok(pending) {
  const result = await pending;
  if (result.code !== 0) throw new Error(result.text);
  return result;
}

import { spawnSync } from "node:child_process";
import { findProgram } from "../../shell/shells.ts";
import type { Ability } from "../machine.ts";
import { SYSTEM_PATH } from "../system-path.ts";
import type { ContainerSpec } from "../wall.ts";

/** How long an engine's answer is cached, because asking starts a process. */
const GOOD_FOR_MS = 30_000;
const TRY_LIMIT_MS = 5_000;
const lastLooks = new Map<string, { at: number; ability: Ability }>();

/** Whether programs can run in containers of this image here. */
export function containerAbility(spec: Omit<ContainerSpec, "image"> & { image: string | null }): Ability {
  const key = JSON.stringify(spec);
  const last = lastLooks.get(key);
  if (last && performance.now() - last.at < GOOD_FOR_MS) return last.ability;
  const ability = look(spec);
  lastLooks.set(key, { at: performance.now(), ability });
  return ability;
}

function look({ program: name, image }: Parameters<typeof containerAbility>[0]): Ability {
  const missing = (reason: string, fix: string): Ability => ({ status: "missing", reason, fix });
  if (process.platform !== "linux") return missing("Containers need Linux.", "Run Belay on Linux.");
  if (image === null) {
    return missing("No image is named for containers.", 'Name one: "container": { "image": "NAME" } in security.json.');
  }
  const program = findProgram(name, SYSTEM_PATH);
  if (!program) return missing(`${name} is not installed.`, `Install it: apt-get install ${name}`);
  const run = (args: string[]) => spawnSync(program, args, { encoding: "utf8", timeout: TRY_LIMIT_MS });
  const version = /[\d.]+/.exec(run(["--version"]).stdout ?? "")?.[0] ?? "";
  const found = run(["image", "inspect", "--format", "{{.Id}}", image]);
  if (found.status === 0) return { status: "ready", version };
  const said = (found.stderr || found.error?.message || "").trim().split("\n")[0] ?? "";
  if (/no such image|not known/i.test(said)) {
    // Images are never pulled while a terminal starts.
    return missing(`There is no image "${image}" here.`, `Get it: ${name} pull ${image}`);
  }
  return missing(`${name} ${version} does not answer: ${said}`, `Try it: ${name} image inspect ${image}`);
}

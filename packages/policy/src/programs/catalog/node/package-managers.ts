import type { Effect, ProgramUse } from "../../define-program.ts";
import { has } from "../use.ts";

/** Options of npm that determine where code and settings come from. */
export const NPM_OPTIONS =
  "-g=install --global=install --prefix:d -C:d --dir:d --cwd:d --userconfig:x --globalconfig:x --script-shell:x --node-options:x --registry:h --cache:c --shell:x --init-module:x --git:x --editor:x --viewer:x --proxy:h --https-proxy:h --noproxy: -w? --workspace: --workspaces -ws --include-workspace-root --if-present --ignore-scripts --silent -s --loglevel: --json --parseable -p --long -l --depth: --all -a --omit: --include: --production --only: --dry-run --no-audit --no-fund --no-save --audit-level: --color? --yes -y --no --force -f --legacy-peer-deps --prefer-offline --offline --verbose --quiet -q -d --filter: -F: -r --recursive --parallel --stream --sequential --no-bail --bail --reporter: --aggregate-output --workspace-concurrency: --fail-if-no-match --frozen-lockfile --no-frozen-lockfile --ci --tag: --otp:";

/** Without a package name, these verbs install the project's own dependencies. */
export function installEffect(use: ProgramUse): Effect {
  return use.operands.length === 0 && !has(use, "-g", "--global", "--no-frozen-lockfile") ? "restore" : "install";
}

export const RUNS_TOOL = { isOpaque: true, takesPackage: true } as const;

export const SCRIPT = {
  does: "work" as const,
  operands: "value" as const,
  stopsAtOperand: false,
  isOpen: true,
  namesScript: true,
};

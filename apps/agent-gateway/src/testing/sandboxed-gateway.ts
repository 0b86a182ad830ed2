import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxAbility } from "@belay/core";
import { onTestFinished } from "vitest";
import type { GatewayOptions } from "../gateway.ts";
import { startTestGateway, type TestGateway } from "./start-test-gateway.ts";

/** Whether this machine supports sandboxes. If not, their tests are skipped with a reason. */
export const hasSandbox = sandboxAbility().status === "ready";

/** A gateway whose agents work in a sandbox, with its own workspace. */
export async function startSandboxedGateway(
  security: object = {},
  { env = {}, ...options }: { env?: Record<string, string> } & GatewayOptions = {},
): Promise<TestGateway & { workspace: string }> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "belay-workspace-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const gateway = await startTestGateway({
    security: { isolation: "sandbox", ...security },
    env: { BELAY_WORKSPACE: workspace, ...env },
    ...options,
  });
  return { ...gateway, workspace };
}

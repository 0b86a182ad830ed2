import { loadSettingsWith } from "../../env.ts";
import { type RunningGateway, startGateway } from "../../start-gateway.ts";
import { TerminalService } from "./terminal-service.ts";

export type {
  ExecuteCommandOptions,
  ExecuteCommandResult,
  TerminalProvider,
} from "./terminal-provider.ts";
export { TerminalService } from "./terminal-service.ts";

export interface BelayOptions {
  /** Where policy, record and recordings live. */
  dataDir: string;
  /** The default folder of commands. */
  workspace: string;
  /** Port of the console and of the approvals; 0 finds a free one. */
  port?: number;
  /** The first admin, so that a person can approve; without it, the link in `setupLink` creates one. */
  admin?: { email: string; password: string };
}

export interface Belay {
  terminals: TerminalService;
  /** Where people watch and approve. */
  url: string;
  setupLink: string | null;
  /** Adds an agent that connects over MCP, and returns its token. */
  addAgent(name: string, options?: { profile?: string }): Promise<{ token: string }>;
  close(): Promise<void>;
}

/** Belay embedded in another program: the same gateway, with terminals in this process. */
export async function openBelay({ dataDir, workspace, port = 0, admin }: BelayOptions): Promise<Belay> {
  const gateway: RunningGateway = await startGateway(
    loadSettingsWith({
      BELAY_DATA_DIR: dataDir,
      BELAY_WORKSPACE: workspace,
      BELAY_PORT: String(port),
      ...(admin ? { BELAY_ADMIN_EMAIL: admin.email, BELAY_ADMIN_PASSWORD: admin.password } : {}),
    }),
  );
  return {
    terminals: new TerminalService(gateway),
    url: gateway.url(),
    setupLink: gateway.setupLink,
    addAgent: async (name, { profile = "standard" } = {}) => {
      const { token } = await gateway.agents.add({ name, profile }, { type: "local" });
      return { token };
    },
    close: () => gateway.close(),
  };
}

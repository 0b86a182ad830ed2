import type { FastifyInstance } from "fastify";
import { type ControlServer, startControlServer } from "./doors/control/server.ts";
import { createHttpServer } from "./doors/http/server.ts";
import { McpEndpoint } from "./doors/mcp/endpoint.ts";
import { requireProtection, type Settings } from "./env.ts";
import { GatewayError } from "./errors.ts";
import type { CloseOptions, Gateway, GatewayOptions } from "./gateway.ts";
import { openGateway } from "./open-gateway.ts";
import { BELAY_START, WEB_DIR } from "./paths.ts";

export interface RunningGateway extends Gateway {
  /** The link that creates the first admin, or null if there is one. */
  setupLink: string | null;
  /** The processes that hold the terminals, if that is not this one. */
  hostPids(): number[];
  close(options?: CloseOptions): Promise<void>;
}

/** Opens everything, creates the first admin if the settings name one, and listens. */
export async function startGateway(settings: Settings, options: GatewayOptions = {}): Promise<RunningGateway> {
  requireProtection(settings);
  const gateway = await openGateway(settings, options);
  let http: FastifyInstance | null = null;
  let control: ControlServer | null = null;
  const close = async (closeOptions?: CloseOptions) => {
    try {
      await Promise.all([http?.close(), control?.close()]);
      await gateway.audit.append({ type: "gateway.stopped", actor: { type: "system" } });
    } finally {
      await gateway.close(closeOptions);
    }
  };
  try {
    const { loss } = gateway.audit;
    if (loss !== null) throw new GatewayError("record-not-whole", loss);
    if (settings.firstAdmin) await addFirstAdmin(gateway, settings.firstAdmin);
    // Before anyone can connect, or new commands would be mistaken for left-over ones.
    await gateway.recover();
    const mcp = new McpEndpoint(gateway);
    http = await createHttpServer(gateway, gateway.address.hosts, { webDir: WEB_DIR, mcp });
    gateway.address.listensOn(await listen(http, settings));
    await gateway.cluster.start();
    control = await startControlServer(gateway, mcp);
    await gateway.audit.append({ type: "gateway.started", actor: { type: "system" }, detail: { url: gateway.url() } });
    gateway.retention.start();
    gateway.changes.start(gateway.followed.of({ workspace: null }));
    const token = await gateway.firstAdmin.openLink();
    return { ...gateway, setupLink: token && `${gateway.url()}/setup#${token}`, close };
  } catch (error) {
    // A failed start ends no terminal of an earlier gateway, and leaves no host without terminals.
    const left = await gateway.terminals.list().catch(() => []);
    await close({ keepTerminals: left.length > 0 }).catch(() => {}); // report the first error, not this one
    throw error;
  }
}

/** Unless there is an admin, perhaps because another gateway on the same database starts at this moment. */
async function addFirstAdmin({ people }: Pick<Gateway, "people">, given: NonNullable<Settings["firstAdmin"]>) {
  if (await people.hasAdmin()) return;
  try {
    await people.add({ name: "Admin", ...given, role: "admin" }, { type: "system" });
  } catch (error) {
    if (!(await people.hasAdmin())) throw error;
  }
}

async function listen(http: FastifyInstance, { host, port }: Settings): Promise<number> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    const message = `Port ${port} on ${host} is taken by another program. Stop it, or choose another port: BELAY_PORT=7401 ${BELAY_START}`;
    throw new GatewayError("port-taken", message, { cause: error });
  }
  const address = http.server.address();
  return address !== null && typeof address === "object" ? address.port : port;
}

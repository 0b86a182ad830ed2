import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectTrashDir, recordingsDirOf, type ScreenSnapshot, type TerminalPool } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import pino, { type Logger } from "pino";
import { Agents } from "./agents/agents.ts";
import { OneShotProviders } from "./agents/one-shot-providers.ts";
import { Approvals } from "./approvals/approvals.ts";
import { Freezer } from "./approvals/freezer.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { Checkpoints } from "./audit/checkpoints.ts";
import { CommandRecords } from "./audit/command-records.ts";
import { Retention } from "./audit/retention.ts";
import { Commands } from "./commands/commands.ts";
import { FinishedCommands } from "./commands/finished.ts";
import { createPerform } from "./commands/perform-act.ts";
import { settleInterrupted } from "./commands/settle-interrupted.ts";
import { type ConsoleServices, openConsoleServices } from "./console-services.ts";
import { type ControlServer, startControlServer } from "./doors/control/server.ts";
import { AllowedHosts } from "./doors/http/allowed-hosts.ts";
import { Metrics } from "./doors/http/metrics.ts";
import { createHttpServer } from "./doors/http/server.ts";
import { McpEndpoint } from "./doors/mcp/endpoint.ts";
import { Channels } from "./doors/stream/channels.ts";
import type { Settings } from "./env.ts";
import { GatewayError } from "./errors.ts";
import { EventBus } from "./events.ts";
import { MIGRATIONS_DIR, WEB_DIR } from "./paths.ts";
import { AccessGuard } from "./people/access-guard.ts";
import { FirstAdmin } from "./people/first-admin.ts";
import { Invitations } from "./people/invitations.ts";
import { People } from "./people/people.ts";
import { PolicyChanges } from "./policy/policy-changes.ts";
import { PolicyJudge } from "./policy/policy-judge.ts";
import { PolicyStore } from "./policy/policy-store.ts";
import { ShellMemories } from "./policy/shell-memories.ts";
import { openDatabase } from "./store/database.ts";
import { acquireLock } from "./store/lock.ts";
import { loadSecret } from "./store/secret.ts";
import { AgentSpawner } from "./terminals/agent-spawner.ts";
import { AgentTerminals } from "./terminals/agent-terminals.ts";
import { openTerminals, type TerminalsPlace } from "./terminals/open.ts";
import { OutputTexts } from "./terminals/output-text.ts";
import { SharedTerminals } from "./terminals/shared.ts";

/** What a viewer can scroll back to at once; the recording has the rest. */
const SNAPSHOT_SCROLLBACK_LINES = 1000;

/** Every part of a running gateway, built here and handed to whoever needs it. */
export interface Gateway {
  settings: Settings;
  log: Logger;
  audit: AuditLog;
  metrics: Metrics;
  retention: Retention;
  agents: Agents;
  approvals: Approvals;
  commands: Commands;
  freezer: Freezer;
  people: People;
  firstAdmin: FirstAdmin;
  invitations: Invitations;
  /** Ends what stays open when a session, a role or a token does. */
  access: AccessGuard;
  policy: PolicyStore;
  policyChanges: PolicyChanges;
  terminals: TerminalPool;
  agentTerminals: AgentTerminals;
  sharedTerminals: SharedTerminals;
  oneShots: OneShotProviders;
  events: EventBus;
  channels: Channels;
  outputTexts: OutputTexts;
  /** What only people who look at the console need. */
  console: ConsoleServices;
  /** Where what agents remove in the workspace goes. */
  trashDir: string;
  recordingsDir: string;
  /** The screen of a terminal as it is; null where nothing is known of it. */
  snapshot(id: TerminalId, options?: { scrollbackLines: number }): Promise<ScreenSnapshot | null>;
  /** The address that people open. */
  url(): string;
}

export interface RunningGateway extends Gateway {
  /** The link that makes the first admin, or null where there is one. */
  setupLink: string | null;
  close(options?: CloseOptions): Promise<void>;
}

export interface GatewayOptions {
  /** Where terminals live; in this process where it is not said. */
  terminals?: TerminalsPlace;
}

interface CloseOptions {
  /** Leaves terminals running that live in a process of their own. */
  keepTerminals?: boolean;
}

interface OpenGateway extends Gateway {
  hosts: AllowedHosts;
  /** The port is only known once it listens, where the settings leave it open. */
  listensOn(port: number): void;
  /** Takes up what an earlier gateway left: closes what has ended, and goes on with what has not. */
  settleInterrupted(): Promise<void>;
  close(options?: CloseOptions): Promise<void>;
}

/** Opens the data dir and all services on it; nothing listens yet. */
export async function openGateway(settings: Settings, options: GatewayOptions = {}): Promise<OpenGateway> {
  const { dataDir } = settings;
  prepareDataDir(dataDir);
  const lock = acquireLock(join(dataDir, "gateway.lock"));
  if (!lock) {
    throw new GatewayError(
      "already-running",
      `Belay is already running on ${dataDir}. Stop it first, or set BELAY_DATA_DIR to another folder.`,
    );
  }

  const log = pino({ level: settings.logLevel }, pino.destination(2));
  const now = () => Date.now();
  const db = openDatabase(join(dataDir, "belay.db"), MIGRATIONS_DIR);
  const sessionSecret = await loadSecret(join(dataDir, "keys", "session-secret"));
  const checkpoints = new Checkpoints({
    file: join(dataDir, "audit-checkpoints.jsonl"),
    keyFile: join(dataDir, "keys", "audit-ed25519.pem"),
  });
  const metrics = new Metrics();
  const audit = new AuditLog({ db, now, checkpoints, watch: metrics });
  let port = settings.port;
  const hosts = new AllowedHosts(settings.publicUrl, () => port);
  const url = () => settings.publicUrl ?? `http://${hostForUrl(settings.host)}:${port}`;
  const events = new EventBus();
  const people = new People({
    db,
    audit,
    events,
    secret: sessionSecret,
    now,
    isHttps: settings.publicUrl?.startsWith("https:") ?? false,
    url,
    allowedOrigins: () => hosts.origins(),
    oidc: settings.oidc,
  });
  const recordingsDir = recordingsDirOf(dataDir);
  const trashDir = projectTrashDir(dataDir, settings.workspace);
  const policy = await PolicyStore.open({ settings, db, audit, events, now });
  const policyChanges = new PolicyChanges({ store: policy, db, audit, events, now });
  const shellMemories = await ShellMemories.open(db);
  // Last of what can fail: terminals of an earlier gateway are not touched by a start that comes to nothing.
  const { host, takeOver, release } = await openTerminals({
    place: options.terminals ?? "this-process",
    dataDir,
    trashDir,
    baseEnv: settings.terminalEnv,
    now,
    log,
  });
  const { terminals } = host;
  policy.protectProcesses(() => host.processIds());
  const outputTexts = new OutputTexts({ terminals, dataDir, recordingsDir, now });
  const approvals = new Approvals({ db, audit, events, policyChanges, now });
  const records = new CommandRecords({ db, audit, now });
  const freezer = new Freezer({ db, audit, events, now });
  const stopping = new AbortController();
  const spawner = new AgentSpawner({ terminals, policy, db });
  const oneShots = new OneShotProviders({
    policy,
    activeName: (agent) => agents.toolDefaults(agent).sessions.provider,
  });
  const perform = createPerform({
    terminals,
    spawner,
    oneShots,
    baseEnv: settings.terminalEnv,
    stopping: stopping.signal,
  });
  const judge = new PolicyJudge({ store: policy, memories: shellMemories, terminals });
  const commands = new Commands({ db, audit, policy: judge, approvals, freezer, terminals, records, perform });
  const agentTerminals = new AgentTerminals({ terminals, spawner, audit, workspace: settings.workspace });
  const finished = new FinishedCommands({ host, finish: (report) => commands.finished(report), log });
  const sharedTerminals = await SharedTerminals.open({ db, audit, terminals, now });
  const forgetTerminal = (id: TerminalId) =>
    Promise.all([
      shellMemories.forget(id),
      sharedTerminals.forget(id),
      approvals.withdrawOfTerminal(id, "Its terminal was closed."),
    ]).catch((error: unknown) => log.error({ err: error, terminalId: id }, "a terminal could not be forgotten"));
  const unsubscribe = terminals.subscribe((event) => {
    if (event.type === "commandFinished") {
      finished.add(event.report);
      return;
    }
    if (event.type === "closed") void forgetTerminal(event.terminal.id);
    if (event.type === "hostLost") {
      log.error("the host of the terminals is gone, and they with it; a new one is being started");
      events.publish(event);
    } else events.publish({ type: "terminal", event: event.type, terminal: event.terminal });
  });

  const stopCounting = events.subscribe((event) => {
    if (event.type === "approval" && event.event === "settled") metrics.approvalSettled(event.approval);
  });
  const retention = new Retention({
    db,
    audit,
    recordingsDir,
    openTerminals: async () => (await terminals.list()).filter(isOpen).map(({ id }) => id),
    days: () => policy.settings.retention,
    now,
    onFailed: (error) => log.error({ err: error }, "what is too old could not be removed"),
  });
  const agents = new Agents({ db, audit, events, policy, approvals, terminals, now });
  const access = new AccessGuard({ people, agents, events, now });
  const snapshot: Gateway["snapshot"] = (id, options = { scrollbackLines: SNAPSHOT_SCROLLBACK_LINES }) =>
    host.snapshot(id, options);
  const consoleServices = openConsoleServices({
    db,
    audit,
    events,
    agents,
    terminals,
    snapshot,
    webhookInternalHosts: settings.webhookInternalHosts,
    log,
    now,
    url,
  });

  return {
    settings,
    log,
    audit,
    metrics,
    retention,
    people,
    terminals,
    events,
    agents,
    firstAdmin: new FirstAdmin(people),
    invitations: new Invitations({ db, audit, people, now }),
    access,
    policy,
    policyChanges,
    approvals,
    commands,
    freezer,
    agentTerminals,
    sharedTerminals,
    oneShots,
    channels: new Channels(),
    snapshot,
    outputTexts,
    console: consoleServices,
    trashDir,
    recordingsDir,
    url,
    hosts,
    settleInterrupted: async () => {
      await takeOver();
      await shellMemories.keepOnly((await terminals.list()).map(({ id }) => id));
      await settleInterrupted(host, records, recordingsDir);
      await commands.resume((act) => (act.type === "run" ? agentTerminals.keep(act.terminalId) : () => {}));
    },
    listensOn: (actual) => {
      port = actual;
    },
    close: async ({ keepTerminals = false } = {}) => {
      approvals.close();
      policy.close();
      stopping.abort();
      try {
        access.close();
        stopCounting();
        metrics.close();
        await retention.close();
        // Still listening: commands that end with their terminals have their records closed.
        if (keepTerminals) await host.leave();
        else await host.close();
        await finished.settle();
        unsubscribe();
        await Promise.all([outputTexts.close(), consoleServices.close()]);
      } finally {
        audit.close();
        db.$client.close();
        release();
        lock.release();
      }
    },
  };
}

/** Opens everything, makes the first admin where the settings name one, and listens. */
export async function startGateway(settings: Settings, options: GatewayOptions = {}): Promise<RunningGateway> {
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
    if (settings.firstAdmin && !(await gateway.people.hasAdmin())) {
      const { email, password } = settings.firstAdmin;
      await gateway.people.add({ name: "Admin", email, password, role: "admin" }, { type: "system" });
    }
    // Before anyone can connect, or what is new would be taken for what was left over.
    await gateway.settleInterrupted();
    const mcp = new McpEndpoint(gateway);
    http = await createHttpServer(gateway, gateway.hosts, { webDir: WEB_DIR, mcp });
    gateway.listensOn(await listen(http, settings));
    control = await startControlServer(gateway, mcp);
    await gateway.audit.append({ type: "gateway.started", actor: { type: "system" }, detail: { url: gateway.url() } });
    gateway.retention.start();
    const token = await gateway.firstAdmin.openLink();
    return { ...gateway, setupLink: token && `${gateway.url()}/setup#${token}`, close };
  } catch (error) {
    // A start that failed ends no terminal that an earlier gateway left, and leaves no host without any.
    const left = await gateway.terminals.list().catch(() => []);
    await close({ keepTerminals: left.length > 0 }).catch(() => {}); // what went wrong first is what people need to read
    throw error;
  }
}

function isOpen({ state }: TerminalInfo): boolean {
  return state.status !== "closed";
}

async function listen(http: FastifyInstance, { host, port }: Settings): Promise<number> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    const message = `Port ${port} on ${host} is taken by another program. Stop it, or choose another port: BELAY_PORT=7401 npm start`;
    throw new GatewayError("port-taken", message, { cause: error });
  }
  const address = http.server.address();
  return address !== null && typeof address === "object" ? address.port : port;
}

function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = `Belay cannot write to its data folder ${dataDir}. Give this user write access, or set BELAY_DATA_DIR to a folder that it may write to.`;
    throw new GatewayError("data-dir-not-writable", message, { cause: error });
  }
}

/** Level by level: Node's own recursive form never returns where the system refuses with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

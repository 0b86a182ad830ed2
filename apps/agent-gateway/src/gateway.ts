import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listRecordings, projectTrashDir, recoverRecording, type ScreenSnapshot, type TerminalPool } from "@belay/core";
import type { TerminalId, TerminalInfo } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import pino, { type Logger } from "pino";
import { AgentTerminals } from "./agent-terminals.ts";
import { Agents } from "./agents.ts";
import { Approvals } from "./approvals.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { Checkpoints } from "./audit/checkpoints.ts";
import { CommandRecords } from "./audit/command-records.ts";
import { Retention } from "./audit/retention.ts";
import { Commands } from "./commands.ts";
import { type ConsoleServices, openConsoleServices } from "./console-services.ts";
import { type ControlServer, startControlServer } from "./control/server.ts";
import type { Settings } from "./env.ts";
import { GatewayError } from "./errors.ts";
import { EventBus } from "./events.ts";
import { Freezer } from "./freezer.ts";
import { AllowedHosts } from "./http/allowed-hosts.ts";
import { createHttpServer } from "./http/server.ts";
import { openTerminals } from "./open-terminals.ts";
import { OutputTexts } from "./output-text.ts";
import { MIGRATIONS_DIR, WEB_DIR } from "./paths.ts";
import { FirstAdmin } from "./people/first-admin.ts";
import { createPeople, type People } from "./people/people.ts";
import { createPerform } from "./perform-act.ts";
import { PolicyChanges } from "./policy/policy-changes.ts";
import { PolicyJudge } from "./policy/policy-judge.ts";
import { PolicyStore } from "./policy/policy-store.ts";
import { ShellMemories } from "./policy/shell-memories.ts";
import { openDatabase } from "./store/database.ts";
import { acquireLock } from "./store/lock.ts";
import { loadSecret } from "./store/secret.ts";
import { Channels } from "./stream/channels.ts";

/** What a viewer can scroll back to at once; the recording has the rest. */
const SNAPSHOT_SCROLLBACK_LINES = 1000;

/** Every part of a running gateway, built here and handed to whoever needs it. */
export interface Gateway {
  settings: Settings;
  log: Logger;
  audit: AuditLog;
  retention: Retention;
  agents: Agents;
  approvals: Approvals;
  commands: Commands;
  freezer: Freezer;
  people: People;
  firstAdmin: FirstAdmin;
  policy: PolicyStore;
  policyChanges: PolicyChanges;
  terminals: TerminalPool;
  agentTerminals: AgentTerminals;
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
  close(): Promise<void>;
}

interface OpenGateway extends Gateway {
  hosts: AllowedHosts;
  /** The port is only known once it listens, where the settings leave it open. */
  listensOn(port: number): void;
  /** Terminals do not outlive the gateway yet, so nothing that an earlier one left open can still end by itself. */
  settleInterrupted(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the data dir and all services on it; nothing listens yet. */
export async function openGateway(settings: Settings): Promise<OpenGateway> {
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
  const audit = new AuditLog({ db, now, checkpoints });
  let port = settings.port;
  const hosts = new AllowedHosts(settings.publicUrl, () => port);
  const people = createPeople({
    db,
    audit,
    secret: sessionSecret,
    now,
    isHttps: settings.publicUrl?.startsWith("https:") ?? false,
    allowedOrigins: () => hosts.origins(),
  });
  const recordingsDir = join(dataDir, "recordings");
  const trashDir = projectTrashDir(dataDir, settings.workspace);
  const { terminals, screens } = await openTerminals({
    dataDir,
    recordingsDir,
    trashDir,
    baseEnv: settings.terminalEnv,
    now,
    log,
  });
  const outputTexts = new OutputTexts({ terminals, dataDir, recordingsDir, now });
  const events = new EventBus();
  const policy = await PolicyStore.open({ settings, db, audit, events, now });
  const policyChanges = new PolicyChanges({ store: policy, db, audit, events, now });
  const shellMemories = await ShellMemories.open(db);
  const approvals = new Approvals({ db, audit, events, policyChanges, now });
  const records = new CommandRecords({ db, audit, now });
  const freezer = new Freezer({ db, audit, events, now });
  const stopping = new AbortController();
  const perform = createPerform({ terminals, baseEnv: settings.terminalEnv, stopping: stopping.signal });
  const judge = new PolicyJudge({ store: policy, memories: shellMemories, terminals });
  const commands = new Commands({ db, audit, policy: judge, approvals, freezer, terminals, records, perform });
  const agentTerminals = new AgentTerminals({ terminals, audit, workspace: settings.workspace });
  const unsubscribe = terminals.subscribe((event) => {
    if (event.type === "commandFinished") {
      commands
        .finished(event.report)
        .catch((error: unknown) => log.error({ err: error }, "a record could not be closed"));
      return;
    }
    if (event.type === "closed") void shellMemories.forget(event.terminal.id);
    if (event.type === "hostLost") events.publish(event);
    else events.publish({ type: "terminal", event: event.type, terminal: event.terminal });
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
  const agents = new Agents({ db, audit, events, now });
  const url = () => settings.publicUrl ?? `http://${hostForUrl(settings.host)}:${port}`;
  const snapshot: Gateway["snapshot"] = (id, options = { scrollbackLines: SNAPSHOT_SCROLLBACK_LINES }) =>
    screens.snapshot(id, options);
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
    retention,
    people,
    terminals,
    events,
    agents,
    firstAdmin: new FirstAdmin(people),
    policy,
    policyChanges,
    approvals,
    commands,
    freezer,
    agentTerminals,
    channels: new Channels(),
    snapshot,
    outputTexts,
    console: consoleServices,
    trashDir,
    recordingsDir,
    url,
    hosts,
    settleInterrupted: async () => {
      await shellMemories.keepOnly((await terminals.list()).map(({ id }) => id));
      await records.closeInterrupted();
      await commands.resume((act) => (act.type === "run" ? agentTerminals.keep(act.terminalId) : () => {}));
      await rm(join(dataDir, "terminals"), { recursive: true, force: true }); // start-up files of shells that are gone
      for (const id of await listRecordings(recordingsDir)) {
        if ((await recoverRecording(recordingsDir, id)) === "unreadable")
          log.warn({ terminalId: id }, "a recording cannot be read");
      }
    },
    listensOn: (actual) => {
      port = actual;
    },
    close: async () => {
      approvals.close();
      policy.close();
      stopping.abort();
      try {
        await retention.close();
        // Still listening: commands that end with their terminals have their records closed.
        await terminals.close();
        unsubscribe();
        await Promise.all([outputTexts.close(), consoleServices.close(), screens.close()]);
      } finally {
        audit.close();
        db.$client.close();
        lock.release();
      }
    },
  };
}

/** Opens everything, makes the first admin where the settings name one, and listens. */
export async function startGateway(settings: Settings): Promise<RunningGateway> {
  const gateway = await openGateway(settings);
  let http: FastifyInstance | null = null;
  let control: ControlServer | null = null;
  const close = async () => {
    try {
      await Promise.all([http?.close(), control?.close()]);
      await gateway.audit.append({ type: "gateway.stopped", actor: { type: "system" } });
    } finally {
      await gateway.close();
    }
  };
  try {
    if (settings.firstAdmin && !(await gateway.people.hasAdmin())) {
      const { email, password } = settings.firstAdmin;
      await gateway.people.add({ name: "Admin", email, password, role: "admin" }, { type: "system" });
    }
    // Before anyone can connect, or what is new would be taken for what was left over.
    await gateway.settleInterrupted();
    http = await createHttpServer(gateway, gateway.hosts, WEB_DIR);
    gateway.listensOn(await listen(http, settings));
    control = await startControlServer(gateway);
    await gateway.audit.append({ type: "gateway.started", actor: { type: "system" }, detail: { url: gateway.url() } });
    gateway.retention.start();
    const token = await gateway.firstAdmin.openLink();
    return { ...gateway, setupLink: token && `${gateway.url()}/setup#${token}`, close };
  } catch (error) {
    await close().catch(() => {}); // what went wrong first is what people need to read
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

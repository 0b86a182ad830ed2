import { existsSync } from "node:fs";
import { projectTrashDir, recordingFiles, resumeApplies } from "@belay/core";
import { CommandId, TerminalId, type TerminalInfo } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import pino, { type Logger } from "pino";
import { Agents } from "./agents/agents.ts";
import type { OneShotProviders } from "./agents/one-shot-providers.ts";
import { Walls } from "./agents/walls.ts";
import { Workspaces } from "./agents/workspaces.ts";
import { Approvals } from "./approvals/approvals.ts";
import { Freezer } from "./approvals/freezer.ts";
import { openOwnAgents } from "./approvals/own-agents.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { CommandRecords } from "./audit/command-records.ts";
import { openRecord } from "./audit/open.ts";
import { Retention } from "./audit/retention.ts";
import { GatewayWatch } from "./audit/watch-gateways.ts";
import { type ChangesRoom, openChanges } from "./changes/open.ts";
import { resumeChanges } from "./changes/resume-changes.ts";
import { ClientSessions } from "./clients/client-sessions.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { openCluster } from "./cluster/open.ts";
import { reachableHost } from "./cluster/reachable-host.ts";
import type { RelaySeal } from "./cluster/relay-seal.ts";
import type { Commands } from "./commands/commands.ts";
import { openCommands } from "./commands/open.ts";
import { settleInterrupted } from "./commands/settle-interrupted.ts";
import { type ControlServer, startControlServer } from "./doors/control/server.ts";
import { AllowedHosts } from "./doors/http/allowed-hosts.ts";
import { Metrics } from "./doors/http/metrics.ts";
import { createHttpServer } from "./doors/http/server.ts";
import { McpEndpoint } from "./doors/mcp/endpoint.ts";
import { Channels } from "./doors/stream/channels.ts";
import { requireProtection, type Settings } from "./env.ts";
import { GatewayError } from "./errors.ts";
import { EventBus } from "./events.ts";
import { type MachinesRoom, openMachines } from "./machines/open.ts";
import { settleMachines } from "./machines/settle-machines.ts";
import { BELAY_START, WEB_DIR } from "./paths.ts";
import { AccessGuard } from "./people/access-guard.ts";
import { openPeople, type PeopleRoom } from "./people/open.ts";
import { openPolicy, type PolicyRoom } from "./policy/open.ts";
import { PolicyJudge } from "./policy/policy-judge.ts";
import { OpenedPorts } from "./ports/opened-ports.ts";
import { PortsAddress } from "./ports/ports-address.ts";
import { Previews, previewsDirOf } from "./previews/previews.ts";
import { openReview, type ReviewRoom } from "./recordings/open.ts";
import { loadGatewayId } from "./store/gateway-id.ts";
import { openStore, type Store } from "./store/open.ts";
import { findApproval } from "./store/tables/approvals.ts";
import { isOwnCommand } from "./store/tables/commands.ts";
import { Loans } from "./terminals/loans.ts";
import { openTerminals, type TerminalsPlace } from "./terminals/open.ts";
import { openTerminalServices, type TerminalServices } from "./terminals/services.ts";
import { AddressGuard } from "./webhooks/address-guard.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

/** Every part of a running gateway. Only the doors see all of it; a domain gets what it uses. */
export interface Gateway
  extends PeopleRoom,
    ReviewRoom,
    Pick<PolicyRoom, "policy" | "policyChanges" | "policyDrafts" | "ruleFinder">,
    ChangesRoom,
    MachinesRoom,
    Omit<TerminalServices, "spawner" | "close"> {
  settings: Settings;
  log: Logger;
  events: EventBus;
  metrics: Metrics;
  audit: AuditLog;
  records: CommandRecords;
  retention: Retention;
  agents: Agents;
  workspaces: Workspaces;
  walls: Walls;
  approvals: Approvals;
  freezer: Freezer;
  previews: Previews;
  commands: Commands;
  oneShots: OneShotProviders;
  clientSessions: ClientSessions;
  /** Closes connections whose session, role or token has ended. */
  access: AccessGuard;
  channels: Channels;
  /** What agents serve, for the people who opened it. */
  ports: OpenedPorts;
  portsAddress: PortsAddress;
  loans: Loans;
  webhooks: Webhooks;
  /** The trash for files that agents remove in the workspace. */
  trashDir: string;
  /** The gateways on the same database. */
  cluster: Cluster;
  /** Proves requests of other gateways; null without others. */
  relaySeal: RelaySeal | null;
  /** Whether a terminal, a recording or a waiting approval is at this gateway. */
  holdsHere(id: string): Promise<boolean>;
  /** The address that people open. */
  url(): string;
  /** Problems of terminals that keep running, such as one that cannot be recorded. */
  hostProblems(): Promise<string[]>;
}

export interface RunningGateway extends Gateway {
  /** The link that creates the first admin, or null if there is one. */
  setupLink: string | null;
  /** The processes that hold the terminals, if that is not this one. */
  hostPids(): number[];
  close(options?: CloseOptions): Promise<void>;
}

export interface GatewayOptions {
  /** Where terminals live; in this process by default. */
  terminals?: TerminalsPlace;
}

interface CloseOptions {
  /** Keeps terminals running that live in another process. */
  keepTerminals?: boolean;
}

interface OpenGateway extends Gateway {
  hosts: AllowedHosts;
  hostPids(): number[];
  /** Sets the gateway's port, which with port 0 is only known once it listens. */
  listensOn(port: number): void;
  /** Recovers what an earlier gateway left: closes what has ended, and resumes the rest. */
  settleInterrupted(): Promise<void>;
  close(options?: CloseOptions): Promise<void>;
}

/** Opens the data folder and every domain on it, each with what it needs. Does not listen yet. */
export async function openGateway(settings: Settings, options: GatewayOptions = {}): Promise<OpenGateway> {
  const store = await openStore(settings.dataDir, {
    url: settings.databaseUrl,
    mode: settings.cluster ? "shared" : "alone",
  });
  try {
    return await openDomains(store, settings, options);
  } catch (error) {
    await store.close(); // connections to a database would keep the process alive
    throw error;
  }
}

async function openDomains(store: Store, settings: Settings, options: GatewayOptions): Promise<OpenGateway> {
  const { dataDir } = settings;
  const log = pino({ level: settings.logLevel }, openLogStream());
  const now = () => Date.now();
  let port = settings.port;
  const portsAddress = new PortsAddress(settings, () => port);
  const { db, sessionSecret, close: closeStore } = store;
  const events = new EventBus();
  const metrics = new Metrics();
  const hosts = new AllowedHosts(settings.publicUrl, () => port);
  const { cluster, relaySeal, sharedSessionSecret } = await openCluster({
    settings,
    id: loadGatewayId(dataDir),
    url: () => settings.cluster?.url ?? `http://${reachableHost(settings.host)}:${port}`,
    events,
    now: () => Date.now(),
    log,
  });
  const url = () => settings.publicUrl ?? `http://${hostForUrl(settings.host)}:${port}`;

  const { audit, records, closeSearch } = await openRecord({ db, dataDir, now, watch: metrics });
  const shared = { settings, db, audit, events, now, log, url };
  const people = openPeople({
    ...shared,
    secret: sharedSessionSecret ?? sessionSecret,
    allowedOrigins: () => hosts.origins(),
  });
  const { shellMemories, judgeThreads, ...policyRoom } = await openPolicy(shared);
  const { policy } = policyRoom;
  const trashDir = projectTrashDir(dataDir, settings.workspace);
  // The last step that can fail, so that a failed start does not touch the terminals of an earlier gateway.
  const {
    host: own,
    claim,
    release,
  } = await openTerminals({
    place: options.terminals ?? "this-process",
    dataDir,
    trashDir,
    baseEnv: settings.terminalEnv,
    now,
    log,
  });
  const { fleet: host, machinesRoom } = await openMachines({ ...shared, own });
  const { places, recordingCopies } = machinesRoom;
  const walls = new Walls({ settings, policy });
  policy.protectProcesses(() => host.processIds());
  const {
    spawner,
    close: closeTerminals,
    ...terminalRoom
  } = await openTerminalServices({
    ...shared,
    host,
    policy,
    walls,
    places,
    recordingCopies,
    judge: (act, agent) => judge.judge(act, agent),
    shellMemories,
  });
  const { terminals, agentTerminals, sharedTerminals, recordingsDir } = terminalRoom;
  const judge = new PolicyJudge({
    store: policy,
    memories: shellMemories,
    terminals,
    threads: judgeThreads,
    outputTexts: terminalRoom.outputTexts,
    walls,
    places,
    searchPath: settings.terminalEnv.PATH ?? "",
  });
  const whyNotNow = async () => {
    if (!cluster.isShared) return null;
    const problem = cluster.problem();
    // The bus tells it at once; this makes sure, even if a signal was lost.
    if (problem === null && (await policy.isBehind())) await policy.refresh();
    return problem;
  };
  const freezer = new Freezer({ ...shared, tellOthers: () => cluster.readAgainEverywhere() });
  const approvals = new Approvals({
    ...shared,
    freezer,
    people: people.people,
    policyChanges: policyRoom.policyChanges,
    tellsNames: () => policy.settings.approval.tellNames,
    ownAgents: openOwnAgents({ db, policy }),
    assertCanApply: (id, preview) => previews.assertCanApply(id, preview),
    whyNotNow,
  });
  const { close: closeChanges, ...changesRoom } = openChanges({ ...shared, policy });
  const { changes } = changesRoom;
  const previews = new Previews({
    ...shared,
    trashDir,
    walls,
    terminals,
    changes,
    freezer,
    policy,
    machineOf: (id) => host.machineOf(id),
  });
  freezer.whenReleased((...released) => approvals.resumeDeadlines(...released));
  const agents = new Agents({
    ...shared,
    policy,
    approvals,
    terminals,
    endTerminal: (id, reason) => host.end(id, reason),
    endTerminalsElsewhere: (id) => cluster.endTerminalsElsewhere(id),
  });
  const { commands, oneShots, finished, stopOneShots } = openCommands({
    ...shared,
    ...changesRoom,
    previews,
    host,
    records,
    policy,
    judge,
    approvals,
    freezer,
    agents,
    spawner,
    walls,
    whyNotNow,
  });
  const retention = new Retention({
    db,
    audit,
    recordingsDir,
    trashDir,
    openTerminals: async () => (await terminals.list()).filter(isOpen).map(({ id }) => id),
    days: () => policy.settings.retention,
    bytes: () => policy.settings.retention,
    pruneOverflow: () => terminalRoom.outputTexts.prune(),
    now,
    onFailed: (error) => log.error({ err: error }, "expired data could not be deleted"),
  });
  const access = new AccessGuard({ people: people.people, agents, events, now });
  const ports = new OpenedPorts({
    terminals,
    audit,
    access,
    address: portsAddress,
    now,
    onFailed: (error) => log.error({ err: error }, "the end of an opened port could not be recorded"),
  });
  const webhooks = new Webhooks({
    ...shared,
    agents,
    guard: new AddressGuard(settings.webhookInternalHosts),
    passOn: () => policy.settings.approval.passOn,
  });
  const { closeReview, ...review } = openReview({
    ...shared,
    bringRecording: (id) => recordingCopies.bring(id),
    terminals,
    recordingsDir,
    forgetHistory: (workspace) => changes.forgetHistory(workspace),
  });

  const forgetTerminal = ({ id, state }: TerminalInfo) =>
    Promise.all([
      audit.append({ type: "terminal.closed", actor: { type: "system" }, terminalId: id, detail: { ...state } }),
      shellMemories.forget(id),
      agentTerminals.forget(id),
      sharedTerminals.forget(id),
      approvals.withdrawOfTerminal(id, "Its terminal was closed."),
    ]).catch((error: unknown) =>
      log.error(
        { err: error, terminalId: id },
        "the end of a terminal could not be recorded yet, or not everything of it was cleaned up",
      ),
    );
  const unsubscribe = terminals.subscribe((event) => {
    if (event.type === "commandFinished") {
      finished.add(event.report);
      return;
    }
    // Only now is its recording complete; "closed" comes before its programs are ended.
    if (event.type === "changed" && event.terminal.state.status === "closed") recordingCopies.closed(event.terminal.id);
    if (event.type === "closed") {
      changes.terminalClosed(event.terminal.id);
      ports.terminalClosed(event.terminal.id);
      void forgetTerminal(event.terminal);
    }
    if (event.type === "hostLost") {
      log.error("the host has died and its terminals with it; starting a new one");
      events.publish(event);
    } else if ("terminal" in event) events.publish({ type: "terminal", event: event.type, terminal: event.terminal });
  });
  const stopSettling = settleMachines({
    ...shared,
    fleet: host,
    settle: async (name, openedBefore) => {
      const machineHost = host.hostOf({ machine: name });
      await recordingCopies.bringClosed(name);
      await settleInterrupted(machineHost, records, await approvals.waitingCommands(), {
        recordingsDir,
        isSettledNow: ({ terminalId, openedAt }) =>
          terminalId !== null && host.machineOf(terminalId) === name && openedAt < openedBefore,
      });
    },
    bring: (name) => recordingCopies.bringClosed(name),
  });
  const watch =
    db.dialect === "postgres"
      ? new GatewayWatch({
          db,
          audit,
          records,
          withdraw: (id, reason) => approvals.withdrawOf(id, reason),
          onClosed: (gone) => log.warn(gone, "closed what a gateway left open that is gone"),
          onFailed: (error) =>
            log.error({ err: error }, "the other gateways on the database could not be looked after"),
        })
      : null;
  const holdsHere = async (id: string) => {
    const terminal = TerminalId.safeParse(id);
    if (!terminal.success)
      return approvals.isWaiting(id) || (CommandId.safeParse(id).success && isOwnCommand(db, id as CommandId));
    if (await terminals.get(terminal.data).then(isOpen, () => false)) return true;
    return recordingFiles(recordingsDir, terminal.data).some(existsSync);
  };
  cluster.open({
    holds: holdsHere,
    agents: async () => {
      const open = (await terminals.list()).filter((terminal) => isOpen(terminal) && terminal.owner === "agent");
      return [...new Set([...open.flatMap(({ agentId }) => agentId ?? []), ...(await approvals.waitingAgents())])];
    },
    readAgain: async () => {
      await policy.refresh();
      await approvals.lookAgainAtAll();
    },
    recheckAccess: () => events.publish({ type: "person" }, "elsewhere"),
    findApproval: (id) => findApproval(db, id),
    approvalChanged: (id) => approvals.lookAgain(id),
    machineChanged: (name) => machinesRoom.machines.lookAgain(name),
    endTerminalsOf: (id) => agents.endTerminals(id),
  });
  const stopTelling = events.subscribe((event) => {
    if (event.type === "approval" || (event.type === "terminal" && event.event !== "changed")) void cluster.tell();
  });
  const stopCounting = events.subscribe((event) => {
    if (event.type === "approval" && event.event === "settled") metrics.approvalSettled(event.approval);
  });

  return {
    settings,
    log,
    events,
    metrics,
    audit,
    records,
    retention,
    ...people,
    ...policyRoom,
    ...changesRoom,
    ...terminalRoom,
    ...machinesRoom,
    agents,
    walls,
    workspaces: new Workspaces({ policy, workspace: settings.workspace }),
    approvals,
    freezer,
    previews,
    commands,
    oneShots,
    clientSessions: new ClientSessions({ ...shared, terminals }),
    access,
    channels: new Channels(),
    ports,
    portsAddress,
    loans: new Loans({ audit, terminals, shellMemories }),
    ...review,
    webhooks,
    trashDir,
    cluster,
    relaySeal,
    holdsHere,
    url,
    hosts,
    hostPids: () => host.processIds(),
    hostProblems: () => host.problems(),
    settleInterrupted: async () => {
      await claim();
      // An apply that was cut off is finished before anything looks at the files.
      for (const dir of await resumeApplies(previewsDirOf(dataDir)))
        log.warn({ dir }, "a preview that was being applied when Belay stopped was applied to its end");
      const open = (await terminals.list()).map(({ id }) => id);
      await Promise.all([shellMemories.keepOnly(open), agentTerminals.keepOnly(open)]);
      const endChanges = await resumeChanges(db, changes);
      await settleInterrupted(own, records, await approvals.waitingCommands(), {
        recordingsDir,
        isSettledNow: ({ terminalId }) => terminalId === null || host.machineOf(terminalId) === null,
      });
      await endChanges();
      await commands.resume((act) => (act.type === "run" ? agentTerminals.keep(act.terminalId) : () => {}));
      previews.clean();
    },
    listensOn: (actual) => {
      port = actual;
    },
    close: async ({ keepTerminals = false } = {}) => {
      cluster.leave();
      approvals.close();
      policy.close();
      stopOneShots();
      try {
        ports.close();
        access.close();
        stopCounting();
        stopTelling();
        stopSettling();
        metrics.close();
        webhooks.close();
        await watch?.close();
        await retention.close();
        await recordingCopies.close();
        await (keepTerminals ? host.leave() : host.close());
        // Unsubscribe only now, so that commands that end with their terminals have their records closed.
        await finished.settle();
        await previews.close();
        await closeChanges();
        await records.close();
        unsubscribe();
        await Promise.all([closeTerminals(), judgeThreads.close(), closeReview(), closeSearch()]);
      } finally {
        await cluster.close();
        await audit.close();
        release();
        await closeStore();
      }
    },
  };
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
    if (settings.firstAdmin && !(await gateway.people.hasAdmin())) {
      const { email, password } = settings.firstAdmin;
      await gateway.people.add({ name: "Admin", email, password, role: "admin" }, { type: "system" });
    }
    // Before anyone can connect, or new commands would be mistaken for left-over ones.
    await gateway.settleInterrupted();
    const mcp = new McpEndpoint(gateway);
    http = await createHttpServer(gateway, gateway.hosts, { webDir: WEB_DIR, mcp });
    gateway.listensOn(await listen(http, settings));
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

/** Ignores write errors: a full disk must not turn into a fault of the logger. */
function openLogStream() {
  return pino.destination(2).on("error", () => {});
}

function isOpen({ state }: TerminalInfo): boolean {
  return state.status !== "closed";
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

function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

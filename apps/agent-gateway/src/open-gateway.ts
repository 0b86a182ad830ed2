import { projectTrashDir } from "@belay/core";
import pino from "pino";
import { openAgents } from "./agents/open.ts";
import { Walls } from "./agents/walls.ts";
import { openApprovals } from "./approvals/open.ts";
import { openRecord } from "./audit/open.ts";
import { openUpkeep } from "./audit/open-upkeep.ts";
import { openChanges } from "./changes/open.ts";
import { ClientConversations } from "./clients/client-conversations.ts";
import { openCluster } from "./cluster/open.ts";
import { serveOthers } from "./cluster/serve-others.ts";
import { whyNotNow } from "./cluster/why-not-now.ts";
import { openCommands } from "./commands/open.ts";
import { recoverMachines, recoverOwn } from "./commands/recover.ts";
import { Metrics } from "./doors/http/metrics.ts";
import { Channels } from "./doors/stream/channels.ts";
import type { Settings } from "./env.ts";
import { EventBus } from "./events.ts";
import type { CloseOptions, GatewayOptions, OpenGateway } from "./gateway.ts";
import { openMachines } from "./machines/open.ts";
import { OwnAddress } from "./own-address.ts";
import { AccessGuard } from "./people/access-guard.ts";
import { openPeople } from "./people/open.ts";
import { openJudge, openPolicy } from "./policy/open.ts";
import { openPorts } from "./ports/open.ts";
import { Previews } from "./previews/previews.ts";
import { openReview } from "./recordings/open.ts";
import { loadGatewayId } from "./store/gateway-id.ts";
import { openStore, type Store } from "./store/open.ts";
import { followTerminals } from "./terminals/follow-terminals.ts";
import { Loans } from "./terminals/loans.ts";
import { openTerminals } from "./terminals/open.ts";
import { openTerminalServices } from "./terminals/services.ts";
import { closeThreads, openThreads } from "./threads.ts";
import { openWebhooks } from "./webhooks/open.ts";

/** Opens the data folder and every domain on it, each with what it needs. Does not listen yet. */
export async function openGateway(settings: Settings, options: GatewayOptions = {}): Promise<OpenGateway> {
  const store = await openStore(settings.dataDir, {
    url: settings.databaseUrl,
    mode: settings.cluster ? "shared" : "alone",
    name: settings.cluster?.name ?? undefined,
  });
  try {
    return await openDomains(store, settings, options);
  } catch (error) {
    await store.close(); // connections to a database would keep the process alive
    throw error;
  }
}

/** The rooms in the order in which they need each other. */
async function openDomains(store: Store, settings: Settings, options: GatewayOptions): Promise<OpenGateway> {
  const base = openBase(store, settings);
  const rules = await openRules(base, store, options);
  const places = await openPlaces(rules, options);
  const work = await openWork(rules, places);
  const services = openServices(rules, places, work);
  const rooms = { rules, places, work, services };
  return {
    ...gatewayOf(rooms),
    recover: async () => {
      await places.terminalsHere.claim();
      await recoverOwn(services.recovery);
    },
    close: (closeOptions) => closeAll(rooms, store, closeOptions),
  };
}

/** What every room gets. */
function openBase({ db }: Store, settings: Settings) {
  const { dataDir } = settings;
  const address = new OwnAddress(settings);
  const events = new EventBus();
  return {
    settings,
    db,
    dataDir,
    address,
    events,
    metrics: new Metrics(events),
    log: pino({ level: settings.logLevel }, openLogStream()),
    now: () => Date.now(),
    url: () => address.url(),
    trashDir: projectTrashDir(dataDir, settings.workspace),
  };
}

/** The other gateways, the record, people and the policy. */
async function openRules(base: ReturnType<typeof openBase>, store: Store, options: GatewayOptions) {
  const { address, dataDir, metrics } = base;
  const { sharedSessionSecret, ...clusterRoom } = await openCluster({
    ...base,
    id: loadGatewayId(dataDir),
    url: () => address.urlForGateways(),
  });
  const { closeSearch, ...record } = await openRecord({ ...base, watch: metrics });
  const shared = { ...base, ...record, cluster: clusterRoom.cluster };
  const peopleRoom = openPeople({
    ...shared,
    secret: sharedSessionSecret ?? store.sessionSecret,
    allowedOrigins: () => address.hosts.origins(),
    passwords: options.passwords ?? null,
  });
  const threads = options.threads ?? openThreads();
  const closeOwnThreads = async () => (options.threads ? undefined : closeThreads(threads));
  const { shellMemories, ...policyRoom } = await openPolicy({ ...shared, ...threads });
  return { shared, clusterRoom, record, closeSearch, peopleRoom, policyRoom, shellMemories, threads, closeOwnThreads };
}
type Rules = Awaited<ReturnType<typeof openRules>>;

/** Where programs run: the terminals of this gateway, other machines, and the walls around agents. */
async function openPlaces({ shared, policyRoom: { policy } }: Rules, options: GatewayOptions) {
  // The last step that can fail, so that a failed start does not touch the terminals of an earlier gateway.
  const terminalsHere = await openTerminals({
    ...shared,
    place: options.terminals ?? "this-process",
    baseEnv: shared.settings.terminalEnv,
  });
  const { host: own } = terminalsHere;
  const { fleet, machinesRoom } = await openMachines({ ...shared, own });
  policy.protectProcesses(() => fleet.processIds());
  return { terminalsHere, own, fleet, machinesRoom, walls: new Walls({ settings: shared.settings, policy, fleet }) };
}
type Places = Awaited<ReturnType<typeof openPlaces>>;

/** What a command goes through: its terminal, the judge, approvals, previews, and the run. */
async function openWork({ shared, policyRoom, peopleRoom, shellMemories, threads }: Rules, places: Places) {
  const { fleet, machinesRoom, walls } = places;
  const domains = { ...shared, ...policyRoom, ...machinesRoom, ...threads, shellMemories, fleet, host: fleet, walls };
  const {
    spawner,
    close: closeTerminals,
    ...terminalRoom
  } = await openTerminalServices({ ...domains, judge: (act, agent) => judge.judge(act, agent) });
  const { close: closeChanges, ...changesRoom } = openChanges(domains);
  const judge = openJudge({ ...domains, ...terminalRoom, ...changesRoom });

  const mayNotStart = () => whyNotNow(shared.cluster, policyRoom.policy);
  const approvalsRoom = openApprovals({
    ...domains,
    ...peopleRoom,
    assertCanApply: (id, preview) => previews.assertCanApply(id, preview),
    whyNotNow: mayNotStart,
  });
  const all = { ...domains, ...terminalRoom, ...changesRoom, ...approvalsRoom };
  const previews = new Previews({ ...all, machineOf: (id) => fleet.machineOf(id) });
  const agentsRoom = openAgents(all);
  const { finished, stopOneShots, ...commandRoom } = openCommands({
    ...all,
    ...agentsRoom,
    previews,
    judge,
    spawner,
    whyNotNow: mayNotStart,
  });
  return {
    all,
    terminalRoom,
    changesRoom,
    approvalsRoom,
    previews,
    agentsRoom,
    commandRoom,
    finished,
    close: { terminals: closeTerminals, changes: closeChanges, oneShots: stopOneShots },
  };
}
type Work = Awaited<ReturnType<typeof openWork>>;

/** What goes on beside commands: upkeep, access, webhooks, recordings, and what other gateways ask for. */
function openServices({ shared, peopleRoom }: Rules, { own, machinesRoom }: Places, work: Work) {
  const { all, agentsRoom, changesRoom, commandRoom, previews, finished } = work;
  const { closeUpkeep, ...upkeep } = openUpkeep(all);
  const access = new AccessGuard({ ...shared, ...peopleRoom, ...agentsRoom });
  const portsRoom = openPorts({ ...all, access, address: shared.address.ports });
  const webhooks = openWebhooks({ ...all, ...agentsRoom });
  const { closeReview, ...review } = openReview({
    ...all,
    bringRecording: (id) => machinesRoom.recordingCopies.bring(id),
    forgetHistory: (workspace) => changesRoom.changes.forgetHistory(workspace),
  });
  const unsubscribe = followTerminals({ ...all, ...portsRoom, finished });
  const recovery = { ...all, ...commandRoom, previews, own };
  const stopSettling = recoverMachines(recovery);
  const { holdsHere, stopServing } = serveOthers({ ...all, ...agentsRoom });
  return {
    upkeep,
    access,
    portsRoom,
    webhooks,
    review,
    recovery,
    holdsHere,
    clientConversations: new ClientConversations(all),
    loans: new Loans(all),
    close: { upkeep: closeUpkeep, review: closeReview, unsubscribe, settling: stopSettling, serving: stopServing },
  };
}
type Services = ReturnType<typeof openServices>;

interface Rooms {
  rules: Rules;
  places: Places;
  work: Work;
  services: Services;
}

/** What the doors see of them. */
function gatewayOf({ rules, places, work, services }: Rooms): Omit<OpenGateway, "recover" | "close"> {
  const { settings, log, events, metrics, address, url, trashDir } = rules.shared;
  const { upkeep, access, webhooks, holdsHere, clientConversations, loans } = services;
  const { fleet, walls, machinesRoom } = places;
  return {
    ...{ settings, log, events, metrics, address, url, trashDir },
    ...rules.record,
    ...rules.peopleRoom,
    ...rules.policyRoom,
    ...rules.clusterRoom,
    ...machinesRoom,
    ...work.changesRoom,
    ...work.terminalRoom,
    ...work.agentsRoom,
    ...work.approvalsRoom,
    ...work.commandRoom,
    ...services.portsRoom,
    ...services.review,
    ...upkeep,
    ...{ access, webhooks, holdsHere, clientConversations, loans },
    walls,
    previews: work.previews,
    channels: new Channels(),
    hostPids: () => fleet.processIds(),
    hostProblems: () => fleet.problems(),
  };
}

/** Stops what starts something first, then the terminals, then what records how they ended, then the store. */
async function closeAll(
  { rules, places, work, services }: Rooms,
  store: Store,
  { keepTerminals = false }: CloseOptions = {},
): Promise<void> {
  const { cluster, metrics, records, audit } = rules.shared;
  cluster.leave();
  work.approvalsRoom.approvals.close();
  rules.policyRoom.policy.close();
  const oneShotsEnded = work.close.oneShots();
  try {
    services.portsRoom.ports.close();
    services.access.close();
    services.close.serving();
    services.close.settling();
    metrics.close();
    services.webhooks.close();
    await services.close.upkeep();
    await places.machinesRoom.recordingCopies.close();
    await (keepTerminals ? places.fleet.leave() : places.fleet.close());
    // Unsubscribe only now, so that commands that end with their terminals have their records closed.
    await work.finished.settle();
    await oneShotsEnded;
    await work.previews.close();
    await work.close.changes();
    await records.close();
    services.close.unsubscribe();
    await Promise.all([work.close.terminals(), rules.closeOwnThreads(), services.close.review(), rules.closeSearch()]);
  } finally {
    await cluster.close();
    await audit.close();
    places.terminalsHere.release();
    await store.close();
  }
}

/** Ignores write errors: a full disk must not turn into a fault of the logger. */
function openLogStream() {
  return pino.destination(2).on("error", () => {});
}

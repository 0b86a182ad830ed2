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
import type { GatewayOptions, OpenGateway } from "./gateway.ts";
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
import { openWebhooks } from "./webhooks/open.ts";

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
  const { db } = store;
  const { dataDir } = settings;
  const log = pino({ level: settings.logLevel }, openLogStream());
  const now = () => Date.now();
  const events = new EventBus();
  const metrics = new Metrics(events);
  const address = new OwnAddress(settings);
  const base = { settings, db, events, now, log, url: () => address.url() };
  const trashDir = projectTrashDir(dataDir, settings.workspace);

  const { sharedSessionSecret, ...clusterRoom } = await openCluster({
    ...base,
    id: loadGatewayId(dataDir),
    url: () => address.urlForGateways(),
  });
  const { cluster } = clusterRoom;
  const { closeSearch, ...record } = await openRecord({ ...base, dataDir, watch: metrics });
  const shared = { ...base, ...record, cluster };
  const peopleRoom = openPeople({
    ...shared,
    secret: sharedSessionSecret ?? store.sessionSecret,
    allowedOrigins: () => address.hosts.origins(),
  });
  const { shellMemories, judgeThreads, ...policyRoom } = await openPolicy(shared);
  const { policy } = policyRoom;
  // The last step that can fail, so that a failed start does not touch the terminals of an earlier gateway.
  const terminalsHere = await openTerminals({
    now,
    log,
    place: options.terminals ?? "this-process",
    dataDir,
    trashDir,
    baseEnv: settings.terminalEnv,
  });
  const { host: own } = terminalsHere;
  const { fleet, machinesRoom } = await openMachines({ ...shared, own });
  policy.protectProcesses(() => fleet.processIds());
  const walls = new Walls({ settings, policy });
  const domains = { ...shared, ...policyRoom, ...machinesRoom, shellMemories, judgeThreads, fleet, host: fleet, walls };
  const {
    spawner,
    close: closeTerminals,
    ...terminalRoom
  } = await openTerminalServices({ ...domains, judge: (act, agent) => judge.judge(act, agent) });
  const { close: closeChanges, ...changesRoom } = openChanges(domains);
  const judge = openJudge({ ...domains, ...terminalRoom, ...changesRoom });

  const mayNotStart = () => whyNotNow(cluster, policy);
  const approvalsRoom = openApprovals({
    ...domains,
    ...peopleRoom,
    assertCanApply: (id, preview) => previews.assertCanApply(id, preview),
    whyNotNow: mayNotStart,
  });
  const work = { ...domains, ...terminalRoom, ...changesRoom, ...approvalsRoom, trashDir };
  const previews = new Previews({ ...work, machineOf: (id) => fleet.machineOf(id) });
  const agentsRoom = openAgents(work);
  const { finished, stopOneShots, ...commandRoom } = openCommands({
    ...work,
    ...agentsRoom,
    previews,
    judge,
    spawner,
    whyNotNow: mayNotStart,
  });
  const { retention, closeUpkeep } = openUpkeep(work);
  const access = new AccessGuard({ ...shared, ...peopleRoom, ...agentsRoom });
  const portsRoom = openPorts({ ...work, access, address: address.ports });
  const webhooks = openWebhooks({ ...work, ...agentsRoom });
  const { closeReview, ...review } = openReview({
    ...work,
    bringRecording: (id) => machinesRoom.recordingCopies.bring(id),
    forgetHistory: (workspace) => changesRoom.changes.forgetHistory(workspace),
  });

  const unsubscribe = followTerminals({ ...work, ...portsRoom, finished });
  const recovery = { ...work, ...commandRoom, previews, own };
  const stopSettling = recoverMachines(recovery);
  const { holdsHere, stopServing } = serveOthers({ ...work, ...agentsRoom });

  return {
    settings,
    log,
    events,
    metrics,
    ...record,
    retention,
    ...peopleRoom,
    ...policyRoom,
    ...changesRoom,
    ...terminalRoom,
    ...machinesRoom,
    ...agentsRoom,
    ...approvalsRoom,
    ...commandRoom,
    ...portsRoom,
    ...review,
    ...clusterRoom,
    walls,
    previews,
    clientConversations: new ClientConversations(work),
    access,
    channels: new Channels(),
    loans: new Loans(work),
    webhooks,
    trashDir,
    holdsHere,
    address,
    url: base.url,
    hostPids: () => fleet.processIds(),
    hostProblems: () => fleet.problems(),
    recover: async () => {
      await terminalsHere.claim();
      await recoverOwn(recovery);
    },
    close: async ({ keepTerminals = false } = {}) => {
      cluster.leave();
      approvalsRoom.approvals.close();
      policy.close();
      stopOneShots();
      try {
        portsRoom.ports.close();
        access.close();
        stopServing();
        stopSettling();
        metrics.close();
        webhooks.close();
        await closeUpkeep();
        await machinesRoom.recordingCopies.close();
        await (keepTerminals ? fleet.leave() : fleet.close());
        // Unsubscribe only now, so that commands that end with their terminals have their records closed.
        await finished.settle();
        await previews.close();
        await closeChanges();
        await record.records.close();
        unsubscribe();
        await Promise.all([closeTerminals(), judgeThreads.close(), closeReview(), closeSearch()]);
      } finally {
        await cluster.close();
        await record.audit.close();
        terminalsHere.release();
        await store.close();
      }
    },
  };
}

/** Ignores write errors: a full disk must not turn into a fault of the logger. */
function openLogStream() {
  return pino.destination(2).on("error", () => {});
}

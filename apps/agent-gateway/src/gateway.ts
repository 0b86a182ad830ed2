import type { Logger } from "pino";
import type { AgentsRoom } from "./agents/open.ts";
import type { Walls } from "./agents/walls.ts";
import type { ApprovalsRoom } from "./approvals/open.ts";
import type { RecordRoom } from "./audit/open.ts";
import type { Upkeep } from "./audit/open-upkeep.ts";
import type { ChangesRoom } from "./changes/open.ts";
import type { ClientConversations } from "./clients/client-conversations.ts";
import type { ClusterRoom } from "./cluster/open.ts";
import type { OthersServed } from "./cluster/serve-others.ts";
import type { CommandRoom } from "./commands/open.ts";
import type { Metrics } from "./doors/http/metrics.ts";
import type { Channels } from "./doors/stream/channels.ts";
import type { Settings } from "./env.ts";
import type { EventBus } from "./events.ts";
import type { MachinesRoom } from "./machines/open.ts";
import type { OwnAddress } from "./own-address.ts";
import type { AccessGuard } from "./people/access-guard.ts";
import type { PasswordHashing } from "./people/auth.ts";
import type { PeopleRoom } from "./people/open.ts";
import type { PolicyRoom } from "./policy/open.ts";
import type { PortsRoom } from "./ports/open.ts";
import type { Previews } from "./previews/previews.ts";
import type { ReviewRoom } from "./recordings/open.ts";
import type { Loans } from "./terminals/loans.ts";
import type { TerminalsPlace } from "./terminals/open.ts";
import type { TerminalServices } from "./terminals/services.ts";
import type { Threads } from "./threads.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** Every part of a running gateway. Only the doors see all of it; a domain gets what it uses. */
export interface Gateway
  extends PeopleRoom,
    ReviewRoom,
    Omit<RecordRoom, "closeSearch">,
    Omit<PolicyRoom, "shellMemories">,
    ApprovalsRoom,
    AgentsRoom,
    ChangesRoom,
    MachinesRoom,
    PortsRoom,
    Pick<CommandRoom, "commands" | "oneShots">,
    Omit<ClusterRoom, "sharedSessionSecret">,
    Pick<OthersServed, "holdsHere">,
    Omit<Upkeep, "closeUpkeep">,
    Omit<TerminalServices, "spawner" | "close"> {
  settings: Settings;
  log: Logger;
  events: EventBus;
  metrics: Metrics;
  walls: Walls;
  previews: Previews;
  clientConversations: ClientConversations;
  /** Closes connections whose session, role or token has ended. */
  access: AccessGuard;
  channels: Channels;
  loans: Loans;
  webhooks: Webhooks;
  /** The trash for files that agents remove in the workspace. */
  trashDir: string;
  /** The address that people open. */
  url(): string;
  /** Problems of terminals that keep running, such as one that cannot be recorded. */
  hostProblems(): Promise<string[]>;
}

export interface GatewayOptions {
  /** Where terminals live; in this process by default. */
  terminals?: TerminalsPlace;
  /** Another way to hash passwords, for tests; better-auth's own by default. */
  passwords?: PasswordHashing;
  /** Threads that several gateways of one process share, and that none of them closes; its own by default. */
  threads?: Threads;
}

export interface CloseOptions {
  /** Keeps terminals running that live in another process. */
  keepTerminals?: boolean;
}

export interface OpenGateway extends Gateway {
  address: OwnAddress;
  /** The processes that hold the terminals, if that is not this one. */
  hostPids(): number[];
  /** Recovers what an earlier gateway left: closes what has ended, and resumes the rest. */
  recover(): Promise<void>;
  close(options?: CloseOptions): Promise<void>;
}

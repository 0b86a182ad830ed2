import { AgentId, ApprovalId, CommandId, TerminalId, TerminalInfo } from "@belay/protocol";
import { z } from "zod";

const GatewayId = z.string().regex(/^[a-z0-9-]{4,60}$/);

/** What a gateway reports about itself, every second and whenever it changes. */
export const Heartbeat = z.object({
  type: z.literal("beat"),
  name: z.string().min(1).max(200),
  version: z.string().max(100),
  /** Another one after every start. */
  boot: z.string().max(100),
  /** Where other gateways reach it. */
  url: z.url({ protocol: /^https?$/ }),
  startedAt: z.number(),
  /** Whether it judges commands; if not, why. */
  problem: z.string().max(1000).nullable(),
  /** Agents that have terminals or waiting commands there. */
  agents: z.array(AgentId).max(20_000),
  /** Machines that are connected to it. */
  machines: z.array(z.string().max(200)).max(5000).default([]),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

/** Events for consoles. An approval is only named, because its text may be too large for a message; the row is in the database. */
const SentEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("terminal"),
    event: z.enum(["created", "changed", "promoted", "closed"]),
    terminal: TerminalInfo,
  }),
  z.object({
    type: z.literal("approval"),
    event: z.enum(["asked", "previewed", "settled"]),
    approvalId: ApprovalId,
  }),
  z.object({ type: z.literal("changes"), commandId: CommandId }),
  z.object({ type: z.literal("freeze") }),
  z.object({ type: z.literal("policy") }),
  z.object({
    type: z.literal("agent"),
    event: z.enum(["added", "changed", "revoked"]),
    agentId: AgentId,
  }),
  z.object({ type: z.literal("presence"), terminalId: TerminalId }),
  z.object({ type: z.literal("machine"), name: z.string().max(200) }),
  z.object({ type: z.literal("settings") }),
  z.object({ type: z.literal("person") }),
]);
export type SentEvent = z.infer<typeof SentEvent>;

export const BusSignal = z.discriminatedUnion("type", [
  Heartbeat,
  /** It stops on purpose and will not be missed. */
  z.object({ type: z.literal("leaving") }),
  z.object({ type: z.literal("event"), event: SentEvent }),
]);
export type BusSignal = z.infer<typeof BusSignal>;

export const BusQuestion = z.discriminatedUnion("type", [
  /** Read the freezes, the policy and revoked rights again, and say when it is done. */
  z.object({ type: z.literal("read-again") }),
  /** Whether a gateway has a terminal, a recording or a waiting approval. */
  z.object({ type: z.literal("holds"), id: z.string().max(200) }),
  /** A person resets this agent: its terminals end everywhere. */
  z.object({ type: z.literal("end-terminals"), agentId: AgentId }),
  /** How many terminals this agent has there. */
  z.object({ type: z.literal("count-terminals"), agentId: AgentId }),
]);
export type BusQuestion = z.infer<typeof BusQuestion>;

export const BusAnswer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("done") }),
  z.object({ type: z.literal("holds"), holds: z.boolean() }),
  z.object({ type: z.literal("ended"), terminals: z.int().min(0) }),
  z.object({ type: z.literal("counted"), terminals: z.int().min(0) }),
  z.object({ type: z.literal("failed"), message: z.string().max(2000) }),
]);
export type BusAnswer = z.infer<typeof BusAnswer>;

/** What is sent: a message, its sender and receiver. */
export const Envelope = z.object({ v: z.literal(1), from: GatewayId, to: z.string().max(100), body: z.unknown() });
export type Envelope = z.infer<typeof Envelope>;

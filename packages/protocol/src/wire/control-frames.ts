import { z } from "zod";
import { TerminalId } from "../ids.ts";
import { TerminalInfo } from "../terminal.ts";
import { Cols, Rows } from "./json-frames.ts";

// The text messages of `belay.v1` (WIRE-20 … WIRE-29): everything except terminal bytes.

const Channel = z.int().min(0).max(0xffffffff);
const Position = z.int().min(0);

export const ClientControlFrame = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("auth"), token: z.string().max(512) }),
  z.strictObject({
    type: z.literal("attach"),
    id: TerminalId,
    /** `screen`: a snapshot, then the output after it. A number: all output from that position. */
    from: z.union([z.literal("screen"), Position]),
  }),
  z.strictObject({ type: z.literal("detach"), channel: Channel }),
  z.strictObject({ type: z.literal("resize"), channel: Channel, cols: Cols, rows: Rows }),
  z.strictObject({
    type: z.literal("pen"),
    channel: Channel,
    /** `ask` the holder for the pen (the right to type), `take` it, or `give` it: back, or to the person who asked. */
    act: z.enum(["ask", "take", "give"]),
    to: z.string().max(64).optional(),
  }),
  z.strictObject({ type: z.literal("ping"), nonce: z.string().max(64) }),
]);
export type ClientControlFrame = z.infer<typeof ClientControlFrame>;

/** Which window of which person may type into a terminal that people hold. */
export const Pen = z.object({ personId: z.string(), name: z.string(), isYou: z.boolean() });
export type Pen = z.infer<typeof Pen>;

export const StreamErrorCode = z.enum(["terminal-not-found", "not-attached", "read-only", "pen-held", "failed"]);
export type StreamErrorCode = z.infer<typeof StreamErrorCode>;

export const ServerControlFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("attached"),
    id: TerminalId,
    channel: Channel,
    /** Where the stream begins. If that is later than requested, a gap frame comes first. */
    position: Position,
    /**
     * The snapshot that follows is an approximation from the end of a flood of output. An exact one will replace it.
     */
    isSketch: z.boolean().optional(),
    canType: z.boolean(),
    /** Null while no window has the pen. */
    pen: Pen.nullable(),
    terminal: TerminalInfo,
  }),
  z.object({ type: z.literal("detached"), channel: Channel }),
  /** Sent after the last byte of output. */
  z.object({ type: z.literal("exit"), channel: Channel, exitCode: z.int().nullable(), position: Position }),
  z.object({
    type: z.literal("terminal"),
    channel: Channel,
    canType: z.boolean(),
    pen: Pen.nullable(),
    terminal: TerminalInfo,
  }),
  /** Another person asks this window for the pen. */
  z.object({ type: z.literal("penAsked"), channel: Channel, personId: z.string(), name: z.string() }),
  z.object({ type: z.literal("pong"), nonce: z.string() }),
  z.object({
    type: z.literal("error"),
    code: StreamErrorCode,
    message: z.string(),
    id: z.string().optional(),
    channel: Channel.optional(),
  }),
]);
export type ServerControlFrame = z.infer<typeof ServerControlFrame>;

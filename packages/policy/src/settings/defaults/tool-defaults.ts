import { z } from "zod";
import { DEFAULT_QUICK_COMMANDS, DEFAULT_SLOW_COMMANDS } from "./default-commands.ts";

const Milliseconds = z.int().min(0);
const Characters = z.int().min(1);
const withDefaults = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).prefault({} as never);

/** The defaults of each toolset. */
export const ToolDefaults = withDefaults({
  deep: withDefaults({
    shell: z.string().min(1).default("/bin/bash"),
    executeTimeoutMs: Milliseconds.default(10_000),
  }),
  sessions: withDefaults({
    provider: z.string().min(1).default("local"),
    executeTimeoutMs: Milliseconds.default(120_000),
    bashTimeoutMs: Milliseconds.default(60_000),
    cropOutputCharacters: Characters.default(10_000),
    minIntervalMs: Milliseconds.default(1_000),
    settleIntervalMs: Milliseconds.default(2_000),
    maxIntervalMs: Milliseconds.default(30_000),
  }),
  unified: withDefaults({
    idleMs: Milliseconds.default(10_000),
    timeoutMs: Milliseconds.default(60_000),
    slowTimeoutMs: Milliseconds.default(180_000),
    slowCommands: z.array(z.string().min(1)).default([...DEFAULT_SLOW_COMMANDS]),
    quickCommands: z.array(z.string().min(1)).default([...DEFAULT_QUICK_COMMANDS]),
    backgroundCollectMs: Milliseconds.default(2_000),
    taskMaxMs: Milliseconds.default(2 * 60 * 60_000),
    abandonedReplMs: Milliseconds.default(2 * 60_000),
    outputCharacters: Characters.default(4_000),
    previewCharacters: Characters.default(3_800),
    lineCharacters: Characters.default(500),
    displayCommandCharacters: Characters.default(80),
    runSyncTimeoutMs: Milliseconds.default(120_000),
  }),
});

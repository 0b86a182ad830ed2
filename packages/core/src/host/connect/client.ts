import type { CommandId, CommandReport } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import type { TerminalPool } from "../../pool/terminal-pool.ts";
import type { TerminalHost } from "../terminal-host.ts";
import { HostLink, type LinkOptions } from "./link.ts";

export type HostClientOptions = LinkOptions;

/** A host in a process of its own, which is started where there is none. */
export async function openRemoteHost(options: HostClientOptions): Promise<TerminalHost> {
  const link = await HostLink.open(options);
  const terminals = remotePool(link);
  return {
    terminals,
    snapshot: async (id, request) => {
      const { value, bytes } = await link.call("snapshot", [id, request]);
      if (value) link.reached(id, value.position);
      return value && { ...value, bytes };
    },
    unfinished: async () => (await link.call("unfinished", [])).value,
    acknowledge: async (commandId) => void (await link.call("acknowledge", [commandId])),
    processIds: () => link.processIds(),
    close: () => terminals.close(),
    leave: () => link.close(),
  };
}

function remotePool(link: HostLink): TerminalPool {
  return {
    spawn: async (request) => (await link.call("spawn", [request])).value,
    list: async () => (await link.call("list", [])).value,
    get: async (id) => (await link.call("get", [id])).value,
    run: async (id, request, signal) => {
      const ask = async () => (await link.call("run", [id, request], { ...(signal && { signal }) })).value;
      return ask().catch((error: unknown) =>
        afterLoss(error, request.commandId, async () => {
          return (await link.call("waitFor", [id, request.commandId, request.wait], { ...(signal && { signal }) }))
            .value;
        }),
      );
    },
    waitFor: async (id, commandId, wait, signal) => {
      const ask = async () => (await link.call("waitFor", [id, commandId, wait], { ...(signal && { signal }) })).value;
      return ask().catch((error: unknown) => afterLoss(error, commandId, ask));
    },
    write: async (id, data) => {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      await link.call("write", [id], { bytes });
    },
    reader: async (id) => (await link.call("reader", [id])).value,
    type: async (id, request) => (await link.call("type", [id, request])).value,
    touch: async (id) => void (await link.call("touch", [id])),
    read: async (id, request) => {
      const { value, bytes } = await link.call("read", [id, request]);
      link.reached(id, value.endPosition);
      return { ...value, bytes };
    },
    history: async (id, maxBytes) => {
      const { value } = await link.call("history", [id, maxBytes]);
      link.reached(id, value.endPosition);
      return value;
    },
    follow: (id, fromPosition, consumer) => link.follow(id, fromPosition, consumer),
    resize: async (id, size) => void (await link.call("resize", [id, size])),
    promote: async (id) => (await link.call("promote", [id])).value,
    kill: async (id, request) => (await link.call("kill", [id, request])).value,
    subscribe: (listener) => link.subscribe(listener),
    close: () => link.endHost(),
  };

  /** A command whose answer was lost on the way: its host may know it still, or have gone with it. */
  async function afterLoss(
    error: unknown,
    commandId: CommandId,
    askAgain: () => Promise<CommandReport>,
  ): Promise<CommandReport> {
    if (!(error instanceof CoreError) || error.code !== "host-lost") throw error;
    const report = await link.reportOfLost(commandId);
    return report ?? askAgain().catch(() => Promise.reject(error));
  }
}

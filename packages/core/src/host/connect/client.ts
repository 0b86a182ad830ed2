import type { CommandId, CommandReport, TerminalId } from "@belay/protocol";
import { CoreError } from "../../errors.ts";
import { HOST_CALLS, type Method, type Methods, specOf, TERMINAL_CALLS } from "../../pool/calls.ts";
import type { TerminalPool } from "../../pool/terminal-pool.ts";
import type { TerminalHost } from "../terminal-host.ts";
import { type ConnectOptions, connectToHost } from "./connection.ts";
import { HostLink, type LinkOptions } from "./link.ts";

type HostClientOptions = ConnectOptions & Omit<LinkOptions, "connect" | "machine">;

/** A host in a separate process, which is started if there is none. */
export async function openRemoteHost(options: HostClientOptions): Promise<TerminalHost> {
  return hostBehind(await HostLink.open({ ...options, connect: (events) => connectToHost(options, events) }));
}

/** The host at the other end of a link. */
export function hostBehind(link: HostLink): TerminalHost {
  const calls = methodsOf(HOST_CALLS, link);
  const terminals = remotePool(link);
  return {
    ...calls,
    terminals,
    snapshot: async (id, request) => {
      const snapshot = await calls.snapshot(id, request);
      if (snapshot) link.reached(id, snapshot.position);
      return snapshot;
    },
    processIds: () => link.processIds(),
    close: () => terminals.close(),
    leave: () => link.close(),
  };
}

function remotePool(link: HostLink): TerminalPool {
  const calls = methodsOf(TERMINAL_CALLS, link);
  return {
    ...calls,
    run: (id, request, signal) =>
      calls
        .run(id, request, signal)
        .catch((error: unknown) =>
          afterLoss(error, request.commandId, () => calls.waitFor(id, request.commandId, request.wait, signal)),
        ),
    waitFor: (id, commandId, wait, signal) =>
      calls
        .waitFor(id, commandId, wait, signal)
        .catch((error: unknown) => afterLoss(error, commandId, () => calls.waitFor(id, commandId, wait, signal))),
    read: (id, request) => noting(id, calls.read(id, request)),
    history: (id, maxBytes) => noting(id, calls.history(id, maxBytes)),
    follow: (id, fromPosition, consumer) => link.follow(id, fromPosition, consumer),
    subscribe: (listener) => link.subscribe(listener),
    lastKnown: (id) => link.lastKnown(id),
    close: () => link.endHost(),
  };

  /** Records how far the terminal has printed, so that a follower from there can share a stream. */
  async function noting<Answer extends { endPosition: number }>(id: TerminalId, answer: Promise<Answer>) {
    link.reached(id, (await answer).endPosition);
    return answer;
  }

  /** Finds the result of a command whose answer was lost: its host may still know it, or may have died. */
  async function afterLoss(
    error: unknown,
    commandId: CommandId,
    askAgain: () => Promise<CommandReport>,
  ): Promise<CommandReport> {
    if (!(error instanceof CoreError) || error.code !== "host-lost") throw error;
    for (;;) {
      const report = await link.reportOfLost(commandId);
      if (report) return report;
      try {
        return await askAgain();
      } catch (again) {
        if (isUnknown(again)) throw notStarted(again);
        // The link to a machine may break repeatedly.
        if (!isLost(again)) throw error;
      }
    }
  }
}

function isLost(error: unknown): boolean {
  return error instanceof CoreError && (error.code === "host-lost" || error.code === "machine-away");
}

/** The host answers but does not know the command: the call never reached it, and no longer can. */
function isUnknown(error: unknown): boolean {
  return error instanceof CoreError && error.code === "command-not-found";
}

function notStarted(cause: unknown): CoreError {
  const message = "The connection broke before the command reached its terminal. It did not start; run it again.";
  return new CoreError("host-lost", message, { cause });
}

function methodsOf<Specs extends typeof TERMINAL_CALLS | typeof HOST_CALLS>(
  specs: Specs,
  link: HostLink,
): Methods<Specs> {
  const methods = (Object.keys(specs) as Method[]).map((method) => [
    method,
    (...args: unknown[]) => {
      const signal = specOf(method).takesSignal ? args.splice(specOf(method).args.def.items.length)[0] : undefined;
      return link.call(method, args, signal as AbortSignal | undefined);
    },
  ]);
  return Object.fromEntries(methods);
}

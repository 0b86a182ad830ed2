import {
  CoreError,
  createUnseal,
  type GatewayClock,
  type MachineFacts,
  MachineHandshake,
  type ProvedClient,
} from "@belay/core";
import { HttpsProxyAgent } from "https-proxy-agent";
import { WebSocket } from "ws";
import { MACHINE_FRAME_BYTES } from "./frame-bytes.ts";
import { frameStream } from "./frame-stream.ts";
import type { Identity } from "./identity.ts";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** The gateway sends something every few seconds. After this long without a message the connection is dead. */
const SILENT_MS = 15_000;

interface DialOptions {
  url: string;
  /** The address of the proxy on the way to the gateway. */
  proxy: string | null;
  identity: Identity;
  facts: MachineFacts;
  accept: (client: ProvedClient) => void;
  /** In words, for the person who looks at this machine. Repeated only if it changes. */
  say: (message: string) => void;
  /** The gateway will never let this machine in. */
  onRefusedForGood: (message: string) => void;
}

/**
 * Keeps this machine connected to its gateway: dials out, proves itself, hands the connection over, and
 * dials again when it ends.
 */
export function dialGateway(options: DialOptions): { stop(): void } {
  let isStopped = false;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let said = "";
  // Without the password that its address may have.
  const through = options.proxy === null ? "" : ` through the proxy ${new URL(options.proxy).host}`;
  const say = (message: string) => {
    if (message !== said) options.say(message);
    said = message;
  };
  const again = () => {
    if (isStopped) return;
    // Not all machines at the same time, after a gateway has restarted.
    timer = setTimeout(dial, retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
  };
  const dial = () => {
    socket = new WebSocket(options.url, {
      perMessageDeflate: false,
      maxPayload: MACHINE_FRAME_BYTES,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      // A tunnel (CONNECT) also without encryption: proxies do not pass on what is not HTTP.
      ...(options.proxy === null ? {} : { agent: new HttpsProxyAgent(options.proxy) }),
    });
    attempt(socket, options).then(
      (name) => {
        retryMs = FIRST_RETRY_MS;
        say(`Connected to the gateway as "${name}".`);
      },
      (error: Error) => {
        if (error instanceof RefusedForGood) {
          isStopped = true;
          options.onRefusedForGood(error.message);
        } else if (!isStopped) say(`Not connected${through}: ${error.message} Trying again.`);
      },
    );
    socket.once("close", again);
  };
  dial();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}

class RefusedForGood extends Error {
  override readonly name = "RefusedForGood";
}

/** One connection, until the gateway has let this machine in: then it carries frames. */
function attempt(socket: WebSocket, { url, identity, facts, accept }: DialOptions): Promise<string> {
  const handshake = new MachineHandshake({ ...identity, facts });
  let proved: ReturnType<MachineHandshake["prove"]>["gateway"] | null = null;
  return new Promise<string>((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
      socket.terminate();
    };
    const timer = setTimeout(() => fail(new Error("the gateway did not answer.")), HANDSHAKE_TIMEOUT_MS);
    const onMessage = (data: Buffer) => {
      try {
        if (!proved) {
          const { answer, gateway } = handshake.prove(data.toString("utf8"));
          proved = gateway;
          socket.send(answer);
          return;
        }
        const verdict = handshake.verdict(data.toString("utf8"), proved);
        clearTimeout(timer);
        socket.off("message", onMessage);
        if (verdict.type === "refused") {
          const isForGood = ["unknown", "revoked", "token"].includes(verdict.reason);
          return fail(isForGood ? new RefusedForGood(verdict.message) : new Error(verdict.message));
        }
        // In the same turn: frames follow at once.
        carry(socket, { identity, proved, accept });
        const { name } = verdict;
        const isKept = identity.joined?.name === name && identity.joined.url === url && identity.token === null;
        (isKept ? Promise.resolve() : identity.keep({ url, name })).then(() => resolve(name), fail);
      } catch (error) {
        fail(error instanceof CoreError ? error : new Error("the gateway's answer cannot be read.", { cause: error }));
      }
    };
    socket.on("message", onMessage);
    socket.once("open", () => socket.send(handshake.begin()));
    socket.on("error", (error) => reject(new Error(`${error.message}.`, { cause: error })));
    socket.once("close", () => {
      clearTimeout(timer);
      reject(new Error("the gateway ended the connection."));
    });
  });
}

function carry(
  socket: WebSocket,
  {
    identity,
    proved,
    accept,
  }: Pick<DialOptions, "identity" | "accept"> & { proved: { connection: Buffer; clock: GatewayClock } },
): void {
  const unseal = createUnseal(identity.gatewayKey, proved.connection, proved.clock);
  const silence = setTimeout(() => socket.terminate(), SILENT_MS);
  socket.once("close", () => clearTimeout(silence));
  accept({
    socket: frameStream(socket),
    unseal: (text, bytes) => {
      const message = unseal(text, bytes);
      // This machine slept, or its clock was set: a new connection sets the time again.
      if (message.isLate && proved.clock.isOff) socket.terminate();
      return message;
    },
    onHeard: () => void silence.refresh(),
  });
}

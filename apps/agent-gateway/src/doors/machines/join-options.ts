import { homedir, hostname, release, type as systemName, userInfo } from "node:os";
import { type JoinOptions, type MachineFacts, PROTOCOL, projectTrashDir } from "@belay/core";
import { isLoopback, proxyFor, type Settings } from "../../env.ts";
import { GatewayError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { dialGateway } from "./dial.ts";
import { loadIdentity } from "./identity.ts";

interface Calls {
  address: string;
  /** The gateway will never let this machine in. */
  end: (reason: string) => void;
  say: (message: string) => void;
}

/** How a host on this machine joins the gateway at an address. */
export async function joinOptions(
  { dataDir, workspace, terminalEnv, joinToken, allowsPlainHttp }: Settings,
  { address, end, say }: Calls,
): Promise<JoinOptions> {
  const url = joinUrl(address, { allowsPlainHttp });
  const proxy = proxyFor(url);
  if (proxy !== null && !/^https?:\/\/[^/]/.test(proxy)) {
    throw new GatewayError(
      "bad-request",
      "The proxy for this address must be an http:// or https:// address. Set HTTPS_PROXY, or list the gateway in NO_PROXY.",
    );
  }
  const identity = await loadIdentity(dataDir, joinToken);
  const home = homedir();
  const facts: Omit<MachineFacts, "hostId"> = {
    program: `Belay ${VERSION}`,
    protocol: PROTOCOL,
    hostname: hostname(),
    platform: `${systemName()} ${release()}`,
    user: userInfo().username,
    home,
    workspace,
    dataDir,
    path: terminalEnv.PATH ?? "",
  };
  return {
    surroundings: { baseEnv: terminalEnv, trashDir: projectTrashDir(dataDir, workspace), home },
    dial: ({ hostId, accept }) =>
      dialGateway({ url, proxy, identity, facts: { ...facts, hostId }, accept, say, onRefusedForGood: end }),
  };
}

/** The WebSocket address of a gateway. */
export function joinUrl(address: string, { allowsPlainHttp }: { allowsPlainHttp: boolean }): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^(https?|wss?):$/.test(url.protocol)) {
    throw new GatewayError(
      "bad-request",
      `"${address}" is not an address of a gateway. One looks like https://belay.example.com`,
    );
  }
  const isEncrypted = url.protocol === "https:" || url.protocol === "wss:";
  if (!isEncrypted && !isLoopback(url.hostname) && !allowsPlainHttp) {
    throw new GatewayError(
      "bad-request",
      `${address} is not encrypted, so others on the network could read what the terminals show. Use https://, or, on a network that you trust, set BELAY_INSECURE_HTTP=yes.`,
    );
  }
  url.protocol = isEncrypted ? "wss:" : "ws:";
  url.pathname = `${url.pathname.replace(/\/$/, "")}/machines/join`;
  return url.href;
}

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The network between a machine and its gateway: a proxy on loopback that a test can cut, heal and hold back. */
export interface TestLink {
  url: string;
  /** Ends all connections, and takes no new ones. */
  cut(): void;
  heal(): void;
  /** Keeps back what the gateway sends; `release` then delivers it, even if the gateway has hung up meanwhile. */
  hold(): void;
  release(): void;
  /** How many bytes the machine has sent. */
  sentByMachine(): number;
  /** Another gateway at the other end. */
  leadTo(url: string): void;
}

export async function openLink(gatewayUrl: string): Promise<TestLink> {
  let target = new URL(gatewayUrl);
  let isCut = false;
  let isHeld = false;
  let sent = 0;
  const pairs = new Set<{ near: Socket; far: Socket; kept: Buffer[] }>();
  const server = createServer((near) => {
    near.on("error", () => {});
    if (isCut) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far, kept: [] as Buffer[] };
    pairs.add(pair);
    far.on("error", () => near.destroy());
    let isFirst = true;
    near.on("data", (chunk) => {
      sent += chunk.byteLength;
      // A reverse proxy passes on the host name that the gateway knows.
      far.write(isFirst ? chunk.toString("latin1").replace(/^Host: .*$/im, `Host: ${target.host}`) : chunk, "latin1");
      isFirst = false;
    });
    far.on("data", (chunk) => void (isHeld ? pair.kept.push(chunk) : near.write(chunk)));
    far.on("close", () => {
      if (!isHeld) near.destroy();
    });
    near.on("close", () => {
      far.destroy();
      pairs.delete(pair);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    isCut = true;
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    heal: () => {
      isCut = false;
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const { near, kept } of pairs) for (const chunk of kept.splice(0)) near.write(chunk);
    },
    sentByMachine: () => sent,
    leadTo: (url) => {
      target = new URL(url);
    },
  };
}

import { connect, createServer, type Server, type Socket } from "node:net";

/** A connection to a server that tests can cut, as a network does: nothing gets through, and no one is told. */
export interface Link {
  port: number;
  cut(): void;
  /** What was connected before stays lost; new connections get through. */
  heal(): void;
  close(): Promise<void>;
}

interface LinkOptions {
  /** Where it listens; other machines reach this one there. */
  address?: string;
  /** The name by which an HTTP server knows itself, as a reverse proxy passes it on. */
  host?: string;
}

export async function openLink(targetPort: number, { address = "127.0.0.1", host }: LinkOptions = {}): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  // Small messages go at once, as between machines; otherwise the link would hold some back for 40 ms.
  const server: Server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: targetPort, host: "127.0.0.1", noDelay: true });
    let isFirst = true;
    const passOn = (bytes: Buffer, other: Socket) => {
      const named = isFirst && other === far && host !== undefined;
      if (other === far) isFirst = false;
      other.write(
        named ? Buffer.from(bytes.toString("latin1").replace(/^Host: .*$/im, `Host: ${host}`), "latin1") : bytes,
      );
    };
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("data", (bytes: Buffer) => {
        if (!isCut) passOn(bytes, other);
      });
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        if (!isCut) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    port: (server.address() as { port: number }).port,
    cut: () => {
      isCut = true;
    },
    heal: () => {
      for (const socket of sockets) socket.destroy();
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { connect, createServer, type Server, type Socket } from "node:net";

/** A connection to a server that tests can cut, as a network does: nothing gets through, and no one is told. */
export interface Link {
  port: number;
  cut(): void;
  /** What was connected before stays lost; new connections get through. */
  heal(): void;
  close(): Promise<void>;
}

export async function openLink(targetPort: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("data", (bytes) => {
        if (!isCut) other.write(bytes);
      });
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        if (!isCut) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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

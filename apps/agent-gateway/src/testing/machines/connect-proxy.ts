import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ConnectProxy {
  /** Its address without name and password. */
  host: string;
  /** Where tunnels were asked for, and by whom. */
  asked: { target: string; password: string | null }[];
}

/** A proxy as companies have it: it opens tunnels (CONNECT) for those who know the password. */
export async function openConnectProxy(password: string): Promise<ConnectProxy> {
  const asked: ConnectProxy["asked"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, reply) => void reply.writeHead(405).end());
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (request, near: Socket) => {
    near.on("error", () => {});
    const basic = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "")?.[1];
    const given = basic ? Buffer.from(basic, "base64").toString().split(":")[1] : undefined;
    asked.push({ target: request.url ?? "", password: given ?? null });
    if (given !== password) return void near.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const { hostname, port } = new URL(`http://${request.url}`);
    const far = connect(Number(port), hostname, () => {
      near.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    sockets.add(far);
    far.on("error", () => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { frameStream } from "./frame-stream.ts";

test("G7 the end of a connection between a gateway and a machine is noticed at once, after its last bytes", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [socket] = (await once(server, "connection")) as [WebSocket];
  const stream = frameStream(socket);
  const read: string[] = [];
  stream.on("data", (bytes: Buffer) => void read.push(bytes.toString()));
  await once(client, "open");

  client.send(Buffer.from("last"), () => client.terminate());
  await once(stream, "close");

  expect(read).toEqual(["last"]);
  expect(stream.destroyed).toBe(true);
});

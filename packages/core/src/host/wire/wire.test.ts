import { once } from "node:events";
import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { z } from "zod";
import { Wire } from "./wire.ts";

/** A socket whose writes are kept, with everything that was written at once as one. */
class Recorded extends Duplex {
  readonly writes: string[] = [];

  override _read(): void {}

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString("latin1"));
    this.emit("written");
    done();
  }
}

const EVENTS = { onMessage: () => {}, onOutput: () => {}, onClose: () => {} };

function openWire() {
  const socket = new Recorded();
  return { socket, wire: new Wire<string, string>(socket, z.string(), EVENTS) };
}

test("B8 a message that is not urgent is sent with what comes next, and before it", async () => {
  const { socket, wire } = openWire();

  wire.sendSoon("first");
  wire.sendSoon("second");
  wire.sendOutput(1, 0, Buffer.alloc(1_000, "o"));
  await once(socket, "written");

  expect(socket.writes).toEqual([expect.stringMatching(/"first".*"second".*o{1000}$/s)]);
});

test("B8 little output is written at once, together with what waits", () => {
  const { socket, wire } = openWire();

  wire.sendSoon("answer");
  wire.sendOutput(1, 0, Buffer.from("echo"));

  expect(socket.writes).toEqual([expect.stringMatching(/"answer".*echo$/s)]);
});

test("B8 little output does not overtake what was sent before it", async () => {
  const { socket, wire } = openWire();

  wire.send("earlier");
  wire.sendOutput(1, 0, Buffer.from("echo"));
  await once(socket, "written");

  expect(socket.writes).toEqual([expect.stringMatching(/"earlier".*echo$/s)]);
});

test("B8 a message that is not urgent is sent by itself if nothing comes", async () => {
  const { socket, wire } = openWire();

  wire.sendSoon("alone");
  await once(socket, "written");

  expect(socket.writes).toEqual([expect.stringContaining('"alone"')]);
});

test("B8 a wire that ends sends what waits first", async () => {
  const { socket, wire } = openWire();

  wire.sendSoon("last");
  wire.end();
  await once(socket, "finish");

  expect(socket.writes).toEqual([expect.stringContaining('"last"')]);
});

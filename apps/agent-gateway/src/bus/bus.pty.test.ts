import { connect } from "@nats-io/transport-node";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { findNats, type NatsServer, startNats } from "../testing/cluster/nats-server.ts";
import { type Bus, BusError } from "./bus.ts";
import { LocalHub } from "./local-bus.ts";
import type { BusSignal } from "./messages.ts";
import { parseNatsUrl } from "./nats-address.ts";
import { NatsBus } from "./nats-bus.ts";
import { Seal } from "./seal.ts";

const log = pino({ level: "silent" });
const SECRET = "a secret that all gateways of the test know";
const policyChanged: BusSignal = { type: "event", event: { type: "policy" } };
const program = findNats();
const SOON = { timeout: 30_000, interval: 20 };

/** What every bus does, wherever its gateways are. */
function contract(join: (self: string) => Promise<Bus>): void {
  test("G7 a signal reaches every gateway, its sender too", async () => {
    const [a, b, c] = [await join("gtw-aaaa"), await join("gtw-bbbb"), await join("gtw-cccc")];
    const heard = [a, b, c].map(signalsOf);

    a.publish(policyChanged);

    const expected = [{ from: "gtw-aaaa", signal: policyChanged }];
    await vi.waitFor(() => expect(heard).toEqual([expected, expected, expected]), SOON);
  });

  test("G7 signals of one gateway arrive in order", async () => {
    const [a, b] = [await join("gtw-aaaa"), await join("gtw-bbbb")];
    const heard = signalsOf(b);
    const machine = (name: string): BusSignal => ({ type: "event", event: { type: "machine", name } });
    const sent = Array.from({ length: 500 }, (_, index) => machine(`m${index}`));

    for (const signal of sent) a.publish(signal);

    await vi.waitFor(() => expect(heard).toHaveLength(500), SOON);
    expect(heard.map(({ signal }) => signal)).toEqual(sent);
  });

  test("G7 a question goes to one gateway, and its answer comes back", async () => {
    const [a, b, c] = [await join("gtw-aaaa"), await join("gtw-bbbb"), await join("gtw-cccc")];
    b.serve(async (question, from) => ({ type: "failed", message: `${from} asked ${question.type}` }));
    c.serve(async () => ({ type: "done" }));

    const answer = await a.ask("gtw-bbbb", { type: "holds", id: "pty-1" }, 5000);

    expect(answer).toEqual({ type: "failed", message: "gtw-aaaa asked holds" });
  });

  test("G7 a gateway that does not answer, or is not there, is an error that names it", async () => {
    const [a, b] = [await join("gtw-aaaa"), await join("gtw-bbbb")];
    b.serve(() => new Promise(() => {}));

    await expect(a.ask("gtw-bbbb", { type: "read-again" }, 50)).rejects.toThrow("gtw-bbbb did not answer within 50 ms");
    await expect(a.ask("gtw-dddd", { type: "read-again" }, 5000)).rejects.toThrow(BusError);
  });

  test("G7 a closed bus sends nothing, and hears nothing", async () => {
    const [a, b] = [await join("gtw-aaaa"), await join("gtw-bbbb")];
    const heard = signalsOf(b);
    await b.close();

    a.publish(policyChanged);
    b.publish(policyChanged);
    await roundTrip(a);

    expect(heard).toEqual([]);
  });
}

describe("in one process", () => {
  let hub = new LocalHub();
  contract(async (self) => {
    onTestFinished(() => {
      hub = new LocalHub();
    });
    return hub.join(self);
  });
});

describe.skipIf(program === null)("over NATS", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats(String(program), { user: "belay", password: "a word for NATS" });
  });
  afterAll(() => server?.close());
  const join = async (self: string, secret = SECRET) => {
    const address = parseNatsUrl(server.url.replace("a word", "a%20word").replace(" for ", "%20for%20"));
    if (!address) throw new Error("The address of the server cannot be read.");
    const bus = await NatsBus.open({ self, address, seal: new Seal(secret), log });
    onTestFinished(() => bus.close());
    return bus;
  };
  contract(join);

  test("G7 what is not signed with the gateways' secret is ignored", async () => {
    const [a, foreign] = [await join("gtw-aaaa"), await join("gtw-bbbb", "another secret, of another cluster")];
    const heard = signalsOf(a);
    const plain = await connect({ servers: `127.0.0.1:${server.port}`, user: "belay", pass: "a word for NATS" });
    onTestFinished(() => plain.close());

    foreign.publish(policyChanged);
    plain.publish("belay.all", JSON.stringify({ v: 1, from: "gtw-bbbb", to: "*", body: policyChanged }));
    plain.publish("belay.all", new Uint8Array(40));
    await plain.flush();
    await roundTrip(a);

    expect(heard).toHaveLength(1); // its own
    await expect(foreign.ask("gtw-aaaa", { type: "read-again" }, 200)).rejects.toThrow(BusError);
  });

  test("G7 a killed server is noticed, and the bus works again once it is back", async () => {
    const own = await startNats(String(program));
    onTestFinished(() => own.close());
    const open = async (self: string) => {
      const address = parseNatsUrl(own.url);
      if (!address) throw new Error("The address of the server cannot be read.");
      const bus = await NatsBus.open({ self, address, seal: new Seal(SECRET), log });
      onTestFinished(() => bus.close());
      return bus;
    };
    const [a, b] = [await open("gtw-aaaa"), await open("gtw-bbbb")];
    const heard = signalsOf(b);

    await own.kill();
    await vi.waitFor(() => expect([a.state, b.state]).toEqual(["disconnected", "disconnected"]), SOON);
    a.publish(policyChanged); // is not kept for later
    await expect(a.ask("gtw-bbbb", { type: "read-again" }, 100)).rejects.toThrow(BusError);
    await own.start();
    await vi.waitFor(() => expect([a.state, b.state]).toEqual(["connected", "connected"]), SOON);
    await roundTrip(b);
    expect(heard).toEqual([{ from: "gtw-bbbb", signal: { type: "leaving" } }]);
    a.publish(policyChanged);

    await vi.waitFor(() => expect(heard).toHaveLength(2), SOON);
  });

  test("G7 a wrong password, or no server, is an error without the password", async () => {
    const seal = new Seal(SECRET);
    const open = (url: string) => {
      const address = parseNatsUrl(url);
      if (!address) throw new Error("The address of the server cannot be read.");
      return NatsBus.open({ self: "gtw-aaaa", address, seal, log });
    };

    const wrong = await open(`nats://belay:guessed@127.0.0.1:${server.port}`).catch(String);
    const silent = await open("nats://belay:guessed@127.0.0.1:1").catch(String);

    for (const message of [wrong, silent]) {
      expect(message).toContain("cannot be used");
      expect(message).toContain("nats://127.0.0.1:");
      expect(message).not.toContain("guessed");
    }
  });
});

test("G7 the address of NATS: user and password, token, TLS, several servers", () => {
  const common = { isTls: false, user: null, password: null, token: null };

  expect(parseNatsUrl("nats://10.0.0.1")).toEqual({
    ...common,
    servers: ["10.0.0.1:4222"],
    shown: "nats://10.0.0.1:4222",
  });
  expect(parseNatsUrl("tls://to%2Fken@nats.example:4443")).toEqual({
    ...common,
    isTls: true,
    token: "to/ken",
    servers: ["nats.example:4443"],
    shown: "tls://nats.example:4443",
  });
  expect(parseNatsUrl("nats://me:secret@a:1,nats://b:2")).toEqual({
    ...common,
    user: "me",
    password: "secret",
    servers: ["a:1", "b:2"],
    shown: "nats://a:1,nats://b:2",
  });
  for (const bad of ["", "http://a", "nats://", "nats://a/path", "nats://a,tls://b", "nats://a?x=1"])
    expect(parseNatsUrl(bad), bad).toBeNull();
});

function signalsOf(bus: Bus): { from: string; signal: BusSignal }[] {
  const heard: { from: string; signal: BusSignal }[] = [];
  bus.subscribe((signal, from) => void heard.push({ from, signal }));
  return heard;
}

/** Everything that was sent before has arrived when a bus hears itself. */
function roundTrip(bus: Bus): Promise<void> {
  return new Promise((resolve) => {
    const stop = bus.subscribe((signal, from) => {
      if (from !== bus.self || signal.type !== "leaving") return;
      stop();
      resolve();
    });
    bus.publish({ type: "leaving" });
  });
}

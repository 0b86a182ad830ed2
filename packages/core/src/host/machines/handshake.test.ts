import { expect, test } from "vitest";
import { GatewayHandshake } from "./gateway-handshake.ts";
import type { MachineFacts } from "./handshake-messages.ts";
import { newJoinToken, parseJoinToken } from "./join-token.ts";
import { keyOfPem, keyOfSeed, newKeyPem, newSeed } from "./keys.ts";
import { MachineHandshake } from "./machine-handshake.ts";

// Not in the order of the schema, which must not matter.
const FACTS: MachineFacts = {
  hostId: "0123",
  program: "Belay test",
  protocol: { min: 7, max: 7 },
  hostname: "build-1",
  platform: "Linux",
  user: "builder",
  workspace: "/work",
  home: "/home/builder",
  dataDir: "/var/lib/belay",
  path: "/usr/bin",
};

test("G7 gateway and machine prove themselves to each other, and agree on the connection", () => {
  const { gateway, machine, token } = meet();

  const { answer, gateway: proved } = machine.prove(gateway.prove(machine.begin()) ?? "");
  const found = gateway.check(answer);

  expect(found).toMatchObject({ tokenKey: token.key.publicKey, facts: FACTS });
  expect(found?.connection).toEqual(proved.connection);
  const verdict = gateway.decide(found as NonNullable<typeof found>, { type: "joined", name: "build-1" });
  expect(machine.verdict(verdict, proved)).toEqual({ type: "joined", name: "build-1" });
});

test("G7 a machine tells nothing to a gateway with another key", () => {
  const { machine } = meet();
  const other = new GatewayHandshake(keyOfPem(newKeyPem()), () => 1);

  expect(() => machine.prove(other.prove(machine.begin()) ?? "")).toThrow("its key is another one");
});

test("G7 the proof of one handshake is worth nothing in another", () => {
  const { gateway, machine, gatewayKey } = meet();
  const { answer } = machine.prove(gateway.prove(machine.begin()) ?? "");
  const second = new GatewayHandshake(gatewayKey, () => 1);
  second.prove(machine.begin());

  expect(second.check(answer)).toBeNull();
});

test("G7 a proxy in between can neither take the token nor change a message in either direction", () => {
  const { gateway, machine } = meet();
  const { answer, gateway: proved } = machine.prove(gateway.prove(machine.begin()) ?? "");
  const sent = JSON.parse(answer);
  const mine = keyOfSeed(newSeed()).publicKey;

  expect(gateway.check(JSON.stringify({ ...sent, key: mine }))).toBeNull();
  expect(gateway.check(JSON.stringify({ ...sent, facts: { ...FACTS, workspace: "/" } }))).toBeNull();
  expect(gateway.check(JSON.stringify({ ...sent, token: { ...sent.token, key: mine } }))).toBeNull();
  expect(answer).not.toContain("seed");
  const refusal = JSON.stringify({ type: "refused", reason: "revoked", message: "" });
  expect(() => machine.verdict(JSON.stringify({ verdict: refusal, signature: sent.signature }), proved)).toThrow(
    "cannot be read",
  );
});

test("G7 a text that is no join token is refused with what one looks like", () => {
  for (const text of ["", "blt_abc", `blj_${"a".repeat(10)}`])
    expect(() => parseJoinToken(text), text).toThrow("This is not a join token");
});

function meet() {
  const gatewayKey = keyOfPem(newKeyPem());
  const token = parseJoinToken(newJoinToken(gatewayKey.publicKey).text);
  const machine = new MachineHandshake({
    key: keyOfSeed(newSeed()),
    gatewayKey: token.gatewayKey,
    token,
    facts: FACTS,
  });
  return { gatewayKey, token, machine, gateway: new GatewayHandshake(gatewayKey, () => Date.now()) };
}

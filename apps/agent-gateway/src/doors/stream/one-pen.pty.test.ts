import { expect, test } from "vitest";
import { spawnForPerson } from "../../terminals/person.ts";
import { startTestGateway, type TestGateway } from "../../testing/start-test-gateway.ts";
import type { TestViewer } from "../../testing/test-viewer.ts";

test("W2 W13 one window types and sets the size; others are told who, ask for the pen, or take it", async () => {
  const gateway = await startTestGateway();
  const { id } = await spawnForPerson(gateway, { cols: 80, rows: 24 }, { type: "local" });
  const [ada, bob] = [await open(gateway, "Ada"), await open(gateway, "Bob")];
  const { channel, pen } = await ada.attach(id);
  await bob.attach(id);

  ada.send({ type: "input", channel, bytes: Buffer.from("echo from ada\n") });
  await ada.expectText("from ada");
  bob.send({ type: "input", channel, bytes: Buffer.from("echo from bob\n") });
  const refused = await bob.expect("error");
  bob.tell({ type: "resize", channel, cols: 30, rows: 10 });
  await bob.expect("error");
  const told = await bob.expect("terminal");
  bob.tell({ type: "pen", channel, act: "ask" });
  const asked = await ada.expect("penAsked");
  ada.tell({ type: "pen", channel, act: "give", to: asked.personId });
  await expect.poll(async () => (await bob.expect("terminal")).pen?.isYou).toBe(true);
  bob.tell({ type: "resize", channel, cols: 90, rows: 30 });
  await expect.poll(async () => (await gateway.terminals.get(id)).cols).toBe(90);
  ada.tell({ type: "pen", channel, act: "take" });
  await expect.poll(async () => (await bob.expect("terminal")).pen?.name).toBe("Ada");

  expect(pen).toBeNull();
  expect(refused).toMatchObject({ code: "pen-held", message: "Ada is typing. Ask for the pen, or take it." });
  expect(told).toMatchObject({ canType: false, pen: { name: "Ada", isYou: false } });
  expect(asked.name).toBe("Bob");
  const { bytes } = await gateway.terminals.read(id, { fromPosition: 0, maxBytes: 100_000 });
  expect(Buffer.from(bytes).toString()).not.toContain("from bob");
  const [taken] = (await gateway.audit.list(20)).filter(({ type }) => type === "terminal.pen-taken");
  expect(taken).toMatchObject({ terminalId: id, detail: { from: asked.personId } });
});

async function open(gateway: TestGateway, name: string): Promise<TestViewer> {
  const person = { email: `${name}@belay.test`, password: "correct horse battery" };
  await gateway.people.add({ ...person, name, role: "operator" }, { type: "system" });
  return gateway.connectViewer({ cookie: await gateway.signIn(person) });
}

import { openTestContainers } from "@belay/core/testing";
import type { TerminalId } from "@belay/protocol";
import { afterAll, expect, test } from "vitest";
import { startSandboxedGateway } from "../testing/sandboxed-gateway.ts";

const containers = openTestContainers();
afterAll(() => containers?.remove());

/** What bash prints before its prompt. Keys that are typed earlier would still be read by the program before it. */
const PROMPT = "\u001b[?2004h";

test("C16 W2 W13 a person works in an agent's container over a real socket: sizes, interrupts, full-screen programs", {
  skip: !containers,
  timeout: 60_000,
}, async () => {
  const gateway = await startSandboxedGateway({
    isolation: "container",
    container: { ...containers?.engine, image: containers?.image },
  });
  const agent = await gateway.connectAgent();
  const operator = await gateway.asPerson("operator");
  const begun = await agent.call("terminal", { command: "echo ready" });
  const [terminal] = await gateway.terminals.list();
  const id = terminal?.id as TerminalId;
  const viewer = await gateway.connectViewer({ cookie: await gateway.signIn() });
  const { channel } = await viewer.attach(id);
  const type = (keys: string) => viewer.send({ type: "input", channel, bytes: Buffer.from(keys) });
  const say = async (line: string, answer: string) => {
    type(`${line}\n`);
    return viewer.expectText(answer);
  };

  await operator.terminals.borrow.mutate({ id });
  viewer.tell({ type: "resize", channel, cols: 100, rows: 40 });
  await say("until [ \"$(stty size)\" = '40 100' ]; do :; done; echo size $(stty size)", "size 40 100");
  type("sh -c 'echo be''gun; exec sleep 600'\n");
  await viewer.expectText("begun");
  type("\u0003");
  await say("echo ended with $?", "ended with 130");
  // Stopped and continued, as job control has it.
  type("sh -c 'echo to''stop; exec sleep 600'\n");
  await viewer.expectText("tostop");
  type("\u001a");
  await viewer.expectText("Stopped");
  await say("kill %1; wait; echo job gone", "job gone");

  // Full screen: each draws to the size of this window, and gives the screen back.
  type("top -d 600\n");
  await viewer.expectText("PID");
  viewer.tell({ type: "resize", channel, cols: 90, rows: 30 });
  await viewer.expectText("PID");
  type("q");
  await viewer.expectText(PROMPT);
  await say("echo size $(stty size)", "size 30 90");
  await say("seq 500 > made; echo filled", "filled");
  type("less made\n");
  await viewer.expectText("28\r\n");
  type("G");
  await viewer.expectText("500");
  type("q");
  await viewer.expectText(PROMPT);
  await say("echo back at $((6 * 7))", "back at 42");
  await operator.terminals.handBack.mutate({ id });
  const next = await agent.call("terminal", { session: begun.session, command: "tail -1 made; stty size" });

  expect(next).toMatchObject({ exit_code: 0, output: "500\n30 90", terminal_id: id });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestContainers } from "@belay/core/testing";
import { afterAll, expect, test } from "vitest";
import { startSandboxedGateway } from "../testing/sandboxed-gateway.ts";

const containers = openTestContainers();
afterAll(() => containers?.remove());

test("C13 C16 a single command in a container says which limit ended it", {
  skip: !containers,
  // Four containers one after the other, which on a busy machine take seconds each.
  timeout: 180_000,
}, async () => {
  const gateway = await startSandboxedGateway({
    isolation: "container",
    container: { ...containers?.engine, image: containers?.image },
    limits: { terminal: { memoryBytes: 64e6, processes: 40, fileBytes: 1e6 } },
  });
  const agent = await gateway.connectAgent({ toolset: "sessions" });
  writeFileSync(join(gateway.workspace, "many.sh"), "for i in $(seq 100); do sleep 100 & done; wait\n");

  const memory = await agent.call("bash", { command: "tail /dev/zero" });
  const file = await agent.call("bash", { command: "head -c 5m /dev/zero > grown" });
  const many = await agent.call("bash", { command: "bash many.sh" });
  const fine = await agent.call("bash", { command: "echo fine" });

  expect(memory).toMatchObject({ ok: false, hint: expect.stringContaining("limits.terminal.memoryBytes") });
  expect(file).toMatchObject({ ok: false, hint: expect.stringContaining("limits.terminal.fileBytes") });
  expect(many).toMatchObject({ ok: false, hint: expect.stringContaining("limits.terminal.processes") });
  expect(fine).toMatchObject({ ok: true });
  expect(fine.hint).toBeUndefined();
});

test("C13 C16 if the shell of a container is ended for memory, the reply, the timeline and the record say so", {
  skip: !containers,
  timeout: 120_000,
}, async () => {
  const gateway = await startSandboxedGateway({
    isolation: "container",
    container: { ...containers?.engine, image: containers?.image },
    limits: { terminal: { memoryBytes: 64e6 } },
  });
  const agent = await gateway.connectAgent();
  const person = await gateway.asPerson("operator");
  const started = await agent.call("terminal", { command: "echo begun" });
  const [terminal] = await gateway.terminals.list();

  const reply = await agent.call("terminal", { session: started.session, command: "exec tail /dev/zero" });
  const [entry] = await person.terminals.commands.query({ id: terminal?.id ?? "pty-none" });
  const { events } = await person.audit.search.query({ types: ["command.closed"] });

  expect(reply).toMatchObject({ exit_code: 137, hint: expect.stringContaining("limits.terminal.memoryBytes") });
  expect(entry).toMatchObject({ line: "exec tail /dev/zero", exitCode: 137, limit: "memory" });
  expect(events.map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ status: "ran", exitCode: 137, limit: "memory" }),
  );
});

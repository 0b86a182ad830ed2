import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestContainers } from "@belay/core/testing";
import type { Approval } from "@belay/protocol";
import { afterAll, describe, expect, test, vi } from "vitest";
import { nextApproval } from "../testing/next-approval.ts";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const containers = openTestContainers();
afterAll(() => containers?.remove());
const patience = { timeout: 40_000, interval: 50 };

/** Sends more than the proxy reads while it waits, so that only the kernel knows when it has ended. */
const WAIT = `import socket
proxy = socket.create_connection(("127.0.0.1", 3128))
proxy.sendall(b"CONNECT belay-none.invalid:443 HTTP/1.1\\r\\n\\r\\n" + b"x" * 4_000_000)
proxy.recv(1)
`;

describe.runIf(hasSandbox)("C4 W3 a question about a connection", () => {
  test("is withdrawn when its program is ended", async () => {
    const gateway = await startSandboxedGateway();
    writeFileSync(join(gateway.workspace, "wait.py"), WAIT);
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");

    const asked = nextApproval(gateway);
    const running = await agent.call("terminal", { command: "python3 wait.py", background: true });
    const { id, subject } = await asked;
    await agent.call("terminal", { handle_id: running.handle_id, input: "\u0003" });

    expect(subject.text).toBe("connect-to belay-none.invalid:443");
    expect(await settled(gateway, id)).toEqual(WITHDRAWN);
    const { events } = await operator.audit.search.query({ types: ["command.answered"] });
    expect(events).toMatchObject([{ detail: { approvalId: id, reason: "withdrawn", message: WITHDRAWN.reason } }]);
    await expect(operator.approvals.decide.mutate({ id, decision: "approve" })).rejects.toThrow("withdrawn");
  });

  test("is withdrawn when a program that ran without a terminal has ended", async () => {
    const gateway = await startSandboxedGateway();
    writeFileSync(join(gateway.workspace, "wait.py"), WAIT);
    const agent = await gateway.connectAgent({ toolset: "sessions" });

    const asked = nextApproval(gateway);
    const reply = agent.call("bash", { command: "timeout 3 python3 wait.py" });
    const { id } = await asked;
    await reply;

    expect(await settled(gateway, id)).toEqual(WITHDRAWN);
  });
});

/** The image of containers has no other program that connects. */
const CONNECT = `exec 3<>/dev/tcp/127.0.0.1/3128
printf 'CONNECT belay-none.invalid:443 HTTP/1.1\\r\\n\\r\\n' >&3
read -r _ status _ <&3
echo "answered $status"
`;

test.runIf(containers && hasSandbox)(
  "C4 C16 W3 a question about a connection out of a container is withdrawn when its program is ended",
  async () => {
    const gateway = await startSandboxedGateway({
      isolation: "container",
      container: { ...containers?.engine, image: containers?.image },
    });
    writeFileSync(join(gateway.workspace, "connect.sh"), CONNECT);
    const agent = await gateway.connectAgent();
    const operator = await gateway.asPerson("operator");
    const command = "bash connect.sh";

    const first = nextApproval(gateway);
    const running = await agent.call("terminal", { command, background: true });
    const { id, subject } = await first;
    await agent.call("terminal", { handle_id: running.handle_id, input: "\u0003" });
    const state = await settled(gateway, id);
    // Another one that waits is answered as usual.
    const second = nextApproval(gateway);
    const reply = agent.call("terminal", { session: running.session, command });
    await operator.approvals.decide.mutate({ id: (await second).id, decision: "deny" });
    const [terminal] = await gateway.terminals.list();

    expect(subject.terminalId).toBe(terminal?.id);
    expect(subject.text).toBe("connect-to belay-none.invalid:443");
    expect(state).toEqual(WITHDRAWN);
    expect(await reply).toMatchObject({ output: "answered 403" });
  },
);

const WITHDRAWN = {
  status: "withdrawn",
  at: expect.any(Number),
  reason: "Its program has ended, or has given up connecting.",
};

async function settled(gateway: TestGateway, id: Approval["id"]): Promise<Approval["state"]> {
  return vi.waitFor(async () => {
    const { state } = await gateway.approvals.get(id);
    expect(state.status).not.toBe("pending");
    return state;
  }, patience);
}

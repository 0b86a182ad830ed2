import { dirname } from "node:path";
import { openTestContainers } from "@belay/core/testing";
import { afterAll, expect, test, vi } from "vitest";
import { startSandboxedGateway } from "../testing/sandboxed-gateway.ts";
import { enter, SERVED_PORT, serve, visit } from "../testing/served-page.ts";

const containers = openTestContainers();
afterAll(() => containers?.remove());

/** What the server needs besides the image, which has little more than a shell. */
const READABLE = [dirname(process.execPath), "/usr/lib/x86_64-linux-gnu"];

test.each(["allowlist", "none"])(
  "C16 C18 a port of a program in a container opens, with the network %s",
  {
    skip: !containers || process.arch !== "x64",
    timeout: 180_000,
  },
  async (mode) => {
    const gateway = await startSandboxedGateway({
      isolation: "container",
      container: { ...containers?.engine, image: containers?.image, readable: READABLE },
      network: { mode },
    });
    serve(await gateway.connectAgent(), gateway.workspace);
    const operator = await gateway.asPerson("operator");
    const { id, closedBecause } = await vi.waitFor(
      async () => {
        for (const { id } of await gateway.terminals.list()) {
          const [found] = await gateway.ports.list(id);
          if (found) return { ...found, id };
        }
        throw new Error("Nothing listens yet.");
      },
      { timeout: 60_000, interval: 100 },
    );

    expect(closedBecause).toBeNull();
    const { url } = await operator.terminals.openPort.mutate({ id, port: SERVED_PORT });
    const page = await visit(new URL("/", url).href, { headers: { cookie: await enter(url) } });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining("Made by the agent") });
  },
);

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import { onTestFinished } from "vitest";
import type { AppRouter } from "../doors/trpc/router.ts";
import { loadSettings } from "../env.ts";
import type { GatewayOptions } from "../gateway.ts";
import type { Person, Role } from "../people/person.ts";
import { type RunningGateway, startGateway } from "../start-gateway.ts";
import type { AgentRow } from "../store/tables/agents.ts";
import { openThreads } from "../threads.ts";
import { databaseFor } from "./database/database-for.ts";
import { quickPasswords } from "./quick-passwords.ts";
import { TestAgent } from "./test-agent.ts";
import { TestViewer } from "./test-viewer.ts";

/** Starting them takes longer than most tests. They keep nothing of a gateway but policies, by their content. */
const sharedThreads = openThreads();

const ADMIN = { email: "admin@belay.test", password: "correct horse battery" };

export interface TestGateway extends RunningGateway {
  dataDir: string;
  /** A new agent, connected over MCP with the official client. */
  connectAgent(options?: { name?: string; profile?: string; toolset?: string }): Promise<TestAgent>;
  addAgent(options?: { name?: string; profile?: string }): Promise<AgentRow & { token: string }>;
  /** The cookie of a signed-in person. */
  signIn(person?: { email: string; password: string }): Promise<string>;
  /** The admin that every test gateway has. */
  admin(): Promise<Person>;
  /** A tRPC client for a new person with this role. */
  asPerson(role: Role): Promise<TRPCClient<AppRouter>>;
  /** With a query such as `?terminal=…`. */
  connectViewer(headers: Record<string, string>, query?: string): Promise<TestViewer>;
}

/** A real gateway on a free port with its own data folder; it is closed when the test ends. */
export async function startTestGateway(
  options: { security?: object; env?: Record<string, string>; dataDir?: string } & GatewayOptions = {},
): Promise<TestGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "belay-gateway-")));
  if (options.security) await writeFile(join(dataDir, "security.json"), JSON.stringify(options.security));
  const settings = loadSettings({
    PATH: process.env.PATH,
    HOME: dataDir,
    BELAY_PORT: "0",
    BELAY_DATA_DIR: dataDir,
    // Outside the data folder, which no agent may touch.
    BELAY_WORKSPACE: tmpdir(),
    BELAY_ADMIN_EMAIL: ADMIN.email,
    BELAY_ADMIN_PASSWORD: ADMIN.password,
    ...databaseFor(dataDir),
    ...options.env,
  });
  const gateway = await startGateway(settings, {
    passwords: options.passwords ?? quickPasswords,
    threads: sharedThreads,
    ...(options.terminals && { terminals: options.terminals }),
  });
  let closing: Promise<void> | null = null;
  // Some tests close it themselves, to start another one on the same data folder.
  const close: RunningGateway["close"] = (closeOptions) => (closing ??= gateway.close(closeOptions));
  onTestFinished(async () => {
    await close();
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  let people = 0;
  const addAgent = ({ name = "tester", profile = "standard" } = {}) =>
    gateway.agents.add({ name, profile }, { type: "system" });
  return {
    ...gateway,
    close,
    dataDir,
    addAgent,
    connectAgent: async ({ toolset, ...agent } = {}) => {
      const { token } = await addAgent(agent);
      const connected = await TestAgent.connect(gateway.url(), token, toolset);
      onTestFinished(() => connected.close());
      return connected;
    },
    admin: async () => {
      const admin = (await gateway.people.list()).find(({ email }) => email === ADMIN.email);
      if (!admin) throw new Error("There is no admin.");
      return admin;
    },
    signIn: (person = ADMIN) => signIn(gateway.url(), person),
    asPerson: async (role) => {
      const person = { email: `${role}-${people++}@belay.test`, password: "correct horse battery" };
      await gateway.people.add({ ...person, name: role, role }, { type: "system" });
      const cookie = await signIn(gateway.url(), person);
      return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${gateway.url()}/trpc`, headers: { cookie } })] });
    },
    connectViewer: async (headers, query) => {
      const viewer = await TestViewer.connect(gateway.url(), headers, query);
      onTestFinished(() => viewer.close());
      return viewer;
    },
  };
}

export async function signIn(url: string, person: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(`Signing in failed: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

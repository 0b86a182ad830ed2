import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import { afterAll, beforeAll, describe } from "vitest";
import type { AppRouter } from "../../doors/trpc/router.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../database/postgres-server.ts";
import { startTestGateway, type TestGateway } from "../start-test-gateway.ts";
import { findNats, type NatsServer, startNats } from "./nats-server.ts";

const SECRET = "only-the-gateways-of-this-test-know-it";

/** Servers that the gateways of a test share. */
export interface TestServers {
  postgres: PostgresServer;
  nats: NatsServer;
}

/** Runs tests on a real PostgreSQL and a real NATS server; where one is missing they are skipped. */
export function onServers(tests: (servers: () => TestServers) => void): void {
  const [postgres, nats] = [findPostgres(), findNats()];
  describe.skipIf(postgres === null || nats === null)("on PostgreSQL and NATS", () => {
    let servers: TestServers;
    beforeAll(async () => {
      servers = { postgres: await startPostgres(String(postgres)), nats: await startNats(String(nats)) };
    }, 60_000);
    afterAll(async () => {
      await servers?.nats.close();
      await servers?.postgres.close();
    });
    tests(() => servers);
  });
}

/** The settings of gateways on one new database. */
export async function clusterEnv(
  { postgres, nats }: TestServers,
  { natsUrl = nats.url, deafAfterSeconds = 10 }: { natsUrl?: string; deafAfterSeconds?: number } = {},
): Promise<Record<string, string>> {
  return {
    BELAY_DATABASE_URL: await postgres.createDatabase(),
    BELAY_NATS_URL: natsUrl,
    BELAY_CLUSTER_SECRET: SECRET,
    BELAY_DEAF_AFTER_SECONDS: String(deafAfterSeconds),
  };
}

export interface TestCluster {
  gateways: TestGateway[];
  /** The cookie of the admin, which every gateway accepts. */
  cookie: string;
  /** The console at each gateway, for the same admin. */
  consoles: TRPCClient<AppRouter>[];
}

/** Gateways in this process that share a database, and know each other. */
export async function startTestCluster(
  env: Record<string, string>,
  names = ["one", "two"],
  security: object = {},
): Promise<TestCluster> {
  const gateways: TestGateway[] = [];
  // The first with the policy; the others take it from the database.
  for (const [index, name] of names.entries())
    gateways.push(
      await startTestGateway({ env: { ...env, BELAY_GATEWAY_NAME: name }, ...(index === 0 ? { security } : {}) }),
    );
  const [first] = gateways;
  if (!first) throw new Error("A cluster has at least one gateway.");
  const cookie = await first.signIn();
  return { gateways, cookie, consoles: gateways.map((gateway) => consoleAt(gateway.url(), cookie)) };
}

export function consoleAt(url: string, cookie: string): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { cookie } })] });
}

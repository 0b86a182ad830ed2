import { isSameSecret } from "@belay/core";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { hasRole } from "../../people/caller.ts";
import { findNotices, findProblems, type HealthProblem } from "./health.ts";
import { identify } from "./identify.ts";

/** `/healthz`: the process is up. `/readyz`: whether it can work, and what is wrong. `/metrics`: for Prometheus and admins. */
export function registerHealthRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/readyz", async (request, reply) => {
    const problems = await findProblems(gateway);
    const isKnown = hasRole(await identify(request.headers, gateway), "viewer");
    const show = (found: HealthProblem[]) => found.map(({ part, problem }) => (isKnown ? { part, problem } : { part }));
    const [code, status] = problems.length === 0 ? [200, "ready"] : [503, "degraded"];
    const notices = show(findNotices(gateway));
    return reply.code(code).send({ status, problems: show(problems), ...(notices.length > 0 ? { notices } : {}) });
  });

  app.get("/metrics", async (request, reply) => {
    if (!(await mayReadMetrics(request, gateway))) {
      const message = "Send the token of BELAY_METRICS_TOKEN (Authorization: Bearer …), or sign in as an admin.";
      return reply.code(401).header("www-authenticate", 'Bearer realm="belay"').send({ message });
    }
    const { contentType, text } = await gateway.metrics.text(gateway.terminals);
    return reply.header("content-type", contentType).send(text);
  });
}

/** With the monitoring token, or as an admin. */
export async function mayReadMetrics(request: FastifyRequest, gateway: Gateway): Promise<boolean> {
  const { metricsToken } = gateway.settings;
  const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (metricsToken !== null && sent !== undefined && isSameSecret(sent, metricsToken)) return true;
  return hasRole(await identify(request.headers, gateway), "admin");
}

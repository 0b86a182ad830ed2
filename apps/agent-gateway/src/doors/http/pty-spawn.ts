import { CoreError } from "@belay/core";
import type { FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { actorOf, hasRole } from "../../people/caller.ts";
import { PersonTerminal, spawnForPerson } from "../../terminals/person.ts";
import { summaryOf } from "../stream/json-viewer.ts";
import { identify } from "./identify.ts";

/** `POST /pty/spawn` (B11): opens a terminal for a signed-in person who may type. */
export function registerPtySpawn(app: FastifyInstance, gateway: Gateway): void {
  app.post("/pty/spawn", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "person") return reply.code(401).send({ error: "Sign in first." });
    if (!hasRole(caller, "operator"))
      return reply.code(403).send({ error: "This needs the role operator. Ask an admin for it." });
    const wanted = PersonTerminal.safeParse(request.body ?? {});
    if (!wanted.success) {
      const [issue] = wanted.error.issues;
      return reply.code(400).send({ error: `${issue?.path.join(".") || "body"}: ${issue?.message}` });
    }
    try {
      const terminal = await spawnForPerson(gateway, wanted.data, actorOf(caller));
      return reply.code(201).send(summaryOf(terminal));
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      return reply.code(error.code === "pool-full" ? 429 : 400).send({ error: error.message });
    }
  });
}

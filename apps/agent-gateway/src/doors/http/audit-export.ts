import { Readable } from "node:stream";
import { AuditEventType } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { describeExport, exportRecord } from "../../audit/export.ts";
import { AuditFilter } from "../../audit/search/filter.ts";
import type { Gateway } from "../../gateway.ts";
import { actorOf, hasRole } from "../../people/caller.ts";
import { identify } from "./identify.ts";

/** Query parameters are always text, so each is parsed. */
const Query = AuditFilter.extend({
  format: z.enum(["jsonl", "csv"]).default("jsonl"),
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  types: z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(AuditEventType))
    .optional(),
});

const CONTENT_TYPES = { jsonl: "application/x-ndjson", csv: "text/csv; charset=utf-8; header=present" };

/** `GET /api/audit/export?format=csv&from=…&text=…`: the record, or its matching rows, for admins. */
export function registerAuditExport(app: FastifyInstance, gateway: Gateway): void {
  app.get("/api/audit/export", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "person") return reply.code(401).send({ message: "Sign in first." });
    if (!hasRole(caller, "admin"))
      return reply.code(403).send({ message: "This needs the role admin. Ask an admin for it." });
    const query = Query.safeParse(request.query);
    if (!query.success) {
      const [issue] = query.error.issues;
      return reply.code(400).send({ message: `${issue?.path.join(".") || "query"}: ${issue?.message}` });
    }
    const { format, ...filter } = query.data;
    // Recorded before the first byte is sent: if that fails, nothing is sent.
    const detail = describeExport(format, filter);
    const { seq, at } = await gateway.audit.append({ type: "audit.exported", actor: actorOf(caller), detail });
    const search = (page: Parameters<typeof gateway.audit.search>[1]) => gateway.audit.search(filter, page);
    return reply
      .header("content-type", CONTENT_TYPES[format])
      .header("content-disposition", `attachment; filename="belay-audit-${seq}-${fileTime(at)}.${format}"`)
      .header("cache-control", "no-store")
      .send(Readable.from(exportRecord(search, format)));
  });
}

function fileTime(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\..*$/g, "");
}

import { Readable } from "node:stream";
import { exportAsciicast, openRecording } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { actorOf, hasRole } from "../../people/caller.ts";
import { identify } from "./identify.ts";

/** `GET /api/recordings/pty-….cast`: the recording of a terminal as asciicast, for people who are signed in. */
export function registerRecordingDownload(app: FastifyInstance, gateway: Gateway): void {
  app.get<{ Params: { file: string } }>("/api/recordings/:file", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "person" || !hasRole(caller, "viewer"))
      return reply.code(401).send({ message: "Sign in first." });
    const id = TerminalId.safeParse(request.params.file.replace(/\.cast$/, ""));
    const recording = id.success ? await openRecording(gateway.recordingsDir, id.data) : null;
    if (!id.success || !recording) return reply.code(404).send({ message: "There is no such recording." });
    try {
      // Recorded before the first byte is sent: if that fails, nothing is sent.
      await gateway.audit.append({
        type: "recording.opened",
        actor: actorOf(caller),
        terminalId: id.data,
        detail: { form: "asciicast" },
      });
    } catch (error) {
      await recording.close();
      throw error;
    }
    const lines = Readable.from(exportAsciicast(recording, { version: 3 }));
    lines.once("close", () => void recording.close());
    return reply
      .header("content-type", "application/x-asciicast")
      .header("content-disposition", `attachment; filename="${id.data}.cast"`)
      .header("cache-control", "no-store")
      .send(lines);
  });
}

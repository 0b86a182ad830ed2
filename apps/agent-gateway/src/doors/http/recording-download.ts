import { Readable } from "node:stream";
import { exportAsciicast, exportText, openRecording, TextRenderer } from "@belay/core";
import { TerminalId } from "@belay/protocol";
import type { FastifyInstance } from "fastify";
import type { Gateway } from "../../gateway.ts";
import { actorOf, hasRole } from "../../people/caller.ts";
import { identify } from "./identify.ts";

const FORMS = {
  cast: { form: "asciicast", contentType: "application/x-asciicast" },
  txt: { form: "text", contentType: "text/plain; charset=utf-8" },
} as const;

/** `GET /api/recordings/pty-….cast`, or `.txt`: the recording of a terminal, for signed-in people. */
export function registerRecordingDownload(app: FastifyInstance, gateway: Gateway): void {
  app.get<{ Params: { file: string } }>("/api/recordings/:file", async (request, reply) => {
    const caller = await identify(request.headers, gateway);
    if (caller.type !== "person" || !hasRole(caller, "viewer"))
      return reply.code(401).send({ message: "Sign in first." });
    const [name = "", extension = "cast"] = request.params.file.split(".", 2);
    const chosen = FORMS[extension as keyof typeof FORMS] as (typeof FORMS)[keyof typeof FORMS] | undefined;
    const id = TerminalId.safeParse(chosen ? name : "");
    const recording = id.success ? await openRecording(gateway.recordingsDir, id.data) : null;
    if (!chosen || !id.success || !recording) return reply.code(404).send({ message: "There is no such recording." });
    try {
      // Recorded before the first byte is sent: if that fails, nothing is sent.
      await gateway.audit.append({
        type: "recording.opened",
        actor: actorOf(caller),
        terminalId: id.data,
        detail: { form: chosen.form },
      });
    } catch (error) {
      await recording.close();
      throw error;
    }
    const renderer = chosen.form === "text" ? new TextRenderer() : null;
    const lines = Readable.from(
      renderer ? exportText(recording, renderer) : exportAsciicast(recording, { version: 3 }),
    );
    lines.once("close", () => void Promise.all([recording.close(), renderer?.close()]));
    return reply
      .header("content-type", chosen.contentType)
      .header("content-disposition", `attachment; filename="${id.data}.${extension}"`)
      .header("cache-control", "no-store")
      .send(lines);
  });
}

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { CONTROL_TOKEN_HEADER } from "../../control/control-token-header.ts";

/** Nothing listens there. */
export class NoGateway extends Error {
  override readonly name = "NoGateway";
}

/**
 * One HTTP request over the control socket, written by hand: loading `node:http` alone would take longer than
 * the rest of the hook. As HTTP/1.0, so that the answer is not chunked and ends with the connection.
 */
export function postToSocket(
  socketPath: string,
  path: string,
  dataDir: string,
  payload: string,
): Promise<{ status: number; text: string }> {
  const head = [
    `POST ${path} HTTP/1.0`,
    "host: belay",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(payload)}`,
    `${CONTROL_TOKEN_HEADER}: ${readControlToken(dataDir)}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const isAbsent = error.code === "ENOENT" || error.code === "ECONNREFUSED";
      reject(isAbsent ? new NoGateway("no gateway is running") : error);
    });
    socket.on("end", () => {
      const answer = Buffer.concat(chunks).toString("utf8");
      const headEnd = answer.indexOf("\r\n\r\n");
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1]);
      if (headEnd === -1 || Number.isNaN(status)) reject(new Error("the gateway ended before it answered"));
      else resolve({ status, text: answer.slice(headEnd + 4) });
    });
    socket.write(`${head.join("\r\n")}\r\n\r\n${payload}`);
  });
}

function readControlToken(dataDir: string): string {
  try {
    return readFileSync(`${dataDir}/keys/control-token`, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new NoGateway("Belay was never started here");
    throw new Error(`its control token in ${dataDir} cannot be read; run the client as the user that Belay runs as`);
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Session, Target, Watcher } from "../harness/target.ts";
import { openViewerSocket } from "../harness/viewer-socket.ts";
import { processTarget } from "./process-target.ts";

const SERVER = fileURLToPath(new URL("./plain-server.mjs", import.meta.url));

export async function startPlain(form: "binary" | "json"): Promise<Target> {
  const child = spawn(process.execPath, [SERVER, form], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  let sessions = 0;
  return processTarget(`plain ${form}`, child, async () => {
    const url = `ws://127.0.0.1:${port}/?id=${++sessions}`;
    const viewer = await connect(url, form);
    const session: Session = {
      ...viewer,
      get missedBytes() {
        return 0;
      },
      watch: () => connect(url, form),
      close: async () => viewer.close(),
    };
    return session;
  });
}

async function connect(url: string, form: "binary" | "json"): Promise<Watcher & Pick<Session, "type">> {
  let listener: (bytes: Uint8Array) => void = () => {};
  const { send, ...socket } = await openViewerSocket({
    url,
    onMessage: (data) =>
      listener(form === "binary" ? data : Buffer.from((JSON.parse(data.toString()) as { data: string }).data)),
  });
  return {
    ...socket,
    missedBytes: 0,
    onBytes: (next) => {
      listener = next;
    },
    type: send,
  };
}

import { createRequire } from "node:module";
import { WebSocketServer } from "ws";

// The simplest honest server: node-pty and a WebSocket, one frame per chunk. Every socket with the same `?id=` sees the
// same shell. `binary` sends bytes as they come; `json` sends {"type":"output","data":…}, as most do. No flow control, no
// recording, no policy: the baseline without Belay.
const [, , form = "binary"] = process.argv;
const require = createRequire(import.meta.url);
const pty = require("node-pty");
const shells = new Map();
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });

server.on("listening", () => process.stdout.write(`${server.address().port}\n`));
server.on("connection", (socket, request) => {
  const id = new URL(request.url ?? "/", "http://localhost").searchParams.get("id") ?? "";
  const shell = shells.get(id) ?? open(id);
  shell.sockets.add(socket);
  socket.on("message", (data) => shell.terminal.write(data.toString()));
  socket.on("close", () => {
    shell.sockets.delete(socket);
    if (shell.sockets.size > 0) return;
    shell.terminal.kill("SIGKILL");
    shells.delete(id);
  });
});

function open(id) {
  const terminal = pty.spawn("/bin/bash", ["--norc"], {
    cols: 80,
    rows: 24,
    env: { PATH: process.env.PATH, PS1: "" },
    encoding: form === "binary" ? null : "utf8",
  });
  const shell = { terminal, sockets: new Set() };
  shells.set(id, shell);
  terminal.onData((data) => {
    const frame = form === "binary" ? data : JSON.stringify({ type: "output", data });
    for (const socket of shell.sockets) socket.send(frame);
  });
  return shell;
}

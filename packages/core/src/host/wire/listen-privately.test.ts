import { mkdtempSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listenPrivately } from "./listen-privately.ts";

const folder = () => mkdtempSync(join(tmpdir(), "belay-listen-"));

test("G6 a socket is its owner's alone, and nothing else that starts meanwhile gets its mask", async () => {
  const path = join(folder(), "host.sock");
  const umask = process.umask();
  const server = createServer();
  onTestFinished(() => void server.close());

  const listening = listenPrivately(server, path);

  expect(process.umask()).toBe(umask);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await listening;
  expect(server.listening).toBe(true);
});

test("G6 a socket that cannot be opened is an error, and the mask is as before", async () => {
  const umask = process.umask();

  await expect(listenPrivately(createServer(), join(folder(), "missing", "host.sock"))).rejects.toThrow(
    /ENOENT|EACCES/,
  );

  expect(process.umask()).toBe(umask);
});

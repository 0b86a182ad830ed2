import { randomBytes } from "node:crypto";
import { Readable, type Transform } from "node:stream";
import { expect, test } from "vitest";
import { decryptBackup, encryptBackup, looksEncrypted } from "./encryption.ts";

const PASSPHRASE = "a long enough passphrase";
/** With the real cost, each key derivation takes about a third of a second, so tests use less. */
const CHEAP = { log2N: 10, r: 8, p: 1 };
const HEADER_BYTES = 34;
const FRAME_BYTES = 4 + 64 * 1024 + 16;

test.each([0, 1, 65_535, 65_536, 65_537, 200_000])("G8 %i bytes survive a round trip", async (size) => {
  const plain = randomBytes(size);

  const sealed = await through(encryptBackup(PASSPHRASE, CHEAP), plain);

  expect(looksEncrypted(sealed)).toBe(true);
  expect((await through(decryptBackup(PASSPHRASE), sealed)).equals(plain)).toBe(true);
});

test("G8 the wrong passphrase is refused", async () => {
  const sealed = await through(encryptBackup(PASSPHRASE, CHEAP), Buffer.from("secret"));

  await expect(through(decryptBackup("another passphrase"), sealed)).rejects.toThrow(
    "The passphrase is wrong, or the backup was changed.",
  );
});

test("G8 changed, truncated, missing or reordered frames are refused", async () => {
  const sealed = await through(encryptBackup(PASSPHRASE, CHEAP), randomBytes(3 * 65_536));
  const [header, first, second, rest] = [
    sealed.subarray(0, HEADER_BYTES),
    sealed.subarray(HEADER_BYTES, HEADER_BYTES + FRAME_BYTES),
    sealed.subarray(HEADER_BYTES + FRAME_BYTES, HEADER_BYTES + 2 * FRAME_BYTES),
    sealed.subarray(HEADER_BYTES + 2 * FRAME_BYTES),
  ];
  const flipped = Buffer.from(sealed);
  flipped[sealed.length - 20] = (flipped[sealed.length - 20] ?? 0) ^ 1;

  for (const bad of [
    flipped,
    sealed.subarray(0, -1),
    Buffer.concat([header, first, second]),
    Buffer.concat([header, first]),
    Buffer.concat([header, first, rest]),
    Buffer.concat([header, second, first, rest]),
    Buffer.concat([sealed, first]),
    header,
  ])
    await expect(through(decryptBackup(PASSPHRASE), bad)).rejects.toMatchObject({ code: "backup-unreadable" });
});

async function through(transform: Transform, bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // In odd chunks, as a disk or a network delivers them.
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += 7919) yield bytes.subarray(at, at + 7919);
  };
  for await (const chunk of Readable.from(pieces()).compose(transform)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { Transform } from "node:stream";
import { GatewayError } from "../errors.ts";

/**
 * A backup under a passphrase: a header, then frames of at most 64 KB, each with AES-256-GCM.
 *
 * The nonce of a frame holds its number and whether it is the last, and the header is authenticated with every frame: so
 * changing, dropping, reordering or truncating frames is detected.
 */
const MAGIC = Buffer.from("BELAYBK1");
const FRAME_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;
const HEADER_BYTES = MAGIC.length + 3 + SALT_BYTES + PREFIX_BYTES;
/** About 128 MB and a third of a second for each guess. */
const COST = { log2N: 17, r: 8, p: 1 };
const LOG2_N = { min: 10, max: 20 };

export function looksEncrypted(start: Uint8Array): boolean {
  return MAGIC.equals(start.subarray(0, MAGIC.length));
}

export function encryptBackup(passphrase: string, { log2N } = COST): Transform {
  const header = Buffer.concat([
    MAGIC,
    Buffer.from([log2N, COST.r, COST.p]),
    randomBytes(SALT_BYTES),
    randomBytes(PREFIX_BYTES),
  ]);
  const key = deriveKey(passphrase, header);
  let pending: Buffer = Buffer.alloc(0);
  let count = 0;
  const seal = (plain: Buffer, isLast: boolean) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(header, count++, isLast)).setAAD(header);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(sealed.length);
    return Buffer.concat([length, sealed]);
  };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = Buffer.concat([pending, chunk]);
      // One frame is always kept back, because only the end of the stream says which is the last.
      while (pending.length > FRAME_BYTES) {
        stream.push(seal(pending.subarray(0, FRAME_BYTES), false));
        pending = pending.subarray(FRAME_BYTES);
      }
      done();
    },
    flush(done) {
      done(null, seal(pending, true));
    },
  });
  stream.push(header);
  return stream;
}

export function decryptBackup(passphrase: string): Transform {
  let pending: Buffer = Buffer.alloc(0);
  let header: Buffer | null = null;
  let key: Buffer = Buffer.alloc(0);
  let count = 0;
  const open = (sealed: Buffer, isLast: boolean) => {
    if (header === null || sealed.length < TAG_BYTES) throw cutOff();
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(header, count, isLast)).setAAD(header);
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
      count += 1;
      return plain;
    } catch (error) {
      if (count > 0) throw cutOff(error);
      throw new GatewayError("backup-unreadable", "The passphrase is wrong, or the backup was changed.", {
        cause: error,
      });
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = Buffer.concat([pending, chunk]);
      try {
        if (header === null && pending.length >= HEADER_BYTES) {
          header = pending.subarray(0, HEADER_BYTES);
          key = deriveKey(passphrase, header);
          pending = pending.subarray(HEADER_BYTES);
        }
        for (let frame = header && takeFrame(pending); frame; frame = takeFrame(pending)) {
          // A frame is known not to be the last once more data follows it.
          if (frame.rest.length === 0) break;
          this.push(open(frame.sealed, false));
          pending = frame.rest;
        }
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      const frame = header && takeFrame(pending);
      try {
        if (!frame || frame.rest.length > 0) throw cutOff();
        done(null, open(frame.sealed, true));
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function takeFrame(bytes: Buffer): { sealed: Buffer; rest: Buffer } | null {
  if (bytes.length < 4) return null;
  const length = bytes.readUInt32BE();
  if (length > FRAME_BYTES + TAG_BYTES) throw cutOff();
  return bytes.length < 4 + length ? null : { sealed: bytes.subarray(4, 4 + length), rest: bytes.subarray(4 + length) };
}

function deriveKey(passphrase: string, header: Buffer): Buffer {
  const [log2N = 0, r = 0, p = 0] = header.subarray(MAGIC.length, MAGIC.length + 3);
  // A forged header must not exhaust memory.
  if (log2N < LOG2_N.min || log2N > LOG2_N.max || r !== COST.r || p !== COST.p) throw cutOff();
  const salt = header.subarray(MAGIC.length + 3, MAGIC.length + 3 + SALT_BYTES);
  const N = 2 ** log2N;
  return scryptSync(passphrase.normalize("NFKC"), salt, 32, { N, r, p, maxmem: 256 * N * r });
}

function nonceOf(header: Buffer, count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  header.copy(nonce, 0, HEADER_BYTES - PREFIX_BYTES);
  nonce.writeUInt32BE(count, PREFIX_BYTES);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function cutOff(cause?: unknown): GatewayError {
  return new GatewayError("backup-unreadable", "The backup is damaged or incomplete. Use another copy of it.", {
    cause,
  });
}

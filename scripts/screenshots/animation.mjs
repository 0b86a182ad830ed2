import { writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";

const SIGNATURE_BYTES = 8;

/**
 * Combines PNG pictures of the same size into one animated PNG (APNG), which every browser shows.
 *
 * A PNG is a sequence of chunks. An animated one has `acTL` (how many pictures), and before each picture `fcTL` (how
 * long it is shown); the data of the first is in `IDAT` as usual, that of the others in numbered `fdAT` chunks.
 */
export function writeAnimation(file, frames) {
  const [first] = frames;
  const chunks = chunksOf(first.png);
  const header = chunks.find(({ type }) => type === "IHDR");
  const size = { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
  let sequence = 0;
  const parts = [
    first.png.subarray(0, SIGNATURE_BYTES),
    chunk("IHDR", header.data),
    chunk("acTL", numbers(frames.length, 0)),
  ];
  for (const [index, { png, delayMs }] of frames.entries()) {
    parts.push(chunk("fcTL", control(sequence++, size, delayMs)));
    for (const { type, data } of chunksOf(png)) {
      if (type !== "IDAT") continue;
      parts.push(index === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(sequence++), data])));
    }
  }
  parts.push(chunk("IEND", Buffer.alloc(0)));
  writeFileSync(file, Buffer.concat(parts));
}

function chunksOf(png) {
  const found = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return found;
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers(data.length), named, numbers(crc32(named))]);
}

function control(sequence, { width, height }, delayMs) {
  const place = numbers(sequence, width, height, 0, 0);
  const rest = Buffer.alloc(6);
  rest.writeUInt16BE(delayMs, 0);
  rest.writeUInt16BE(1000, 2);
  return Buffer.concat([place, rest]);
}

function numbers(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

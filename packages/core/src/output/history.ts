const ESC = 0x1b;
const BEL = 0x07;
const NEWLINE = 0x0a;
/** Escape sequences are shorter; a longer title or link loses its beginning. */
const MAX_SEQUENCE_BYTES = 4 * 1024;

/**
 * The end of an output as text, starting at a line if possible, and never
 * inside a character or an escape sequence. `byteLength` says how many of the bytes it covers.
 */
export function trimHistory(bytes: Buffer, { isCut }: { isCut: boolean }): { text: string; byteLength: number } {
  const from = isCut ? cleanStart(bytes) : 0;
  const end = cleanEnd(bytes, from);
  return { text: bytes.toString("utf8", from, end), byteLength: end };
}

/** Where an output that was cut at any byte can safely start. */
export function cleanStart(bytes: Buffer): number {
  const newline = bytes.indexOf(NEWLINE);
  if (newline >= 0) return newline + 1;
  // One endless line. The text before the first ESC may be the rest of a sequence that was cut,
  // and only its length tells the two apart.
  const sequence = bytes.indexOf(ESC);
  if (sequence >= 0 && sequence < MAX_SEQUENCE_BYTES) return sequence;
  let from = 0;
  while (from < bytes.byteLength && isContinuation(bytes[from])) from++;
  return from;
}

function cleanEnd(bytes: Buffer, from: number): number {
  const sequence = bytes.lastIndexOf(ESC);
  const end = sequence >= from && isUnfinishedSequence(bytes.subarray(sequence)) ? sequence : bytes.byteLength;

  // Back over the bytes of an incomplete last character.
  let lead = end - 1;
  while (lead > from && end - lead < 4 && isContinuation(bytes[lead])) lead--;
  return lead >= from && lead + characterBytes(bytes[lead]) > end ? lead : end;
}

function isUnfinishedSequence(sequence: Buffer): boolean {
  const kind = sequence[1];
  if (kind === undefined) return true;
  // CSI ends with a byte from @ to ~.
  if (kind === 0x5b) return !sequence.subarray(2).some((byte) => byte >= 0x40 && byte <= 0x7e);
  // OSC, DCS, SOS, PM and APC end with BEL or with ESC \, whose ESC would have been found as the last one.
  if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(kind)) return !sequence.includes(BEL);
  // Charset selections and the like: intermediates, then one final byte.
  return kind >= 0x20 && kind <= 0x2f && !sequence.subarray(2).some((byte) => byte >= 0x30 && byte <= 0x7e);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function characterBytes(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

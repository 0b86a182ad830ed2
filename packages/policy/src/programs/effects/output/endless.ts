import type { Field } from "../../../language/state/values.ts";

/** More than a project needs, and enough to fill many disks. */
const MAX_BYTES = 8 * 1024 ** 3;

/** Devices that return data for as long as they are read. */
export function isEndlessDevice(path: string): boolean {
  return /^\/dev\/(zero|u?random|full)$/.test(path);
}

/** Programs that print as much as they read. `head` does so only with certain options. */
export function passesOnEndless(program: string, args: readonly Field[]): boolean {
  if (program === "head") return args.some(({ text }) => isTooMuch(text.replace(/^(?:-[cn]|--(?:bytes|lines)=)/, "")));
  return FILTERS.has(program);
}

const FILTERS = new Set(
  "yes cat tac tee sponge cp install tr sed awk gawk mawk base64 base32 xxd od hexdump gzip pigz bzip2 xz zstd lz4 brotli openssl pv rev nl cut fold fmt paste tail buffer mbuffer uniq expand unexpand iconv".split(
    " ",
  ),
);

/** `100G`, `1TiB`, `200000000000`: a size that could fill a disk. */
export function isTooMuch(text: string): boolean {
  const [, digits = "", unit = ""] = /^[+<>/%]?(\d+(?:\.\d+)?)([kKmMgGtTpPeEzZyY]?)(?:i?[bB])?$/.exec(text) ?? [];
  if (digits === "") return false;
  return Number(digits) * 1024 ** " kmgtpezy".indexOf(unit.toLowerCase() || " ") > MAX_BYTES;
}

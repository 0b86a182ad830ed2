import { type Field, field, stream } from "../../language/state/values.ts";
import { hasOption, optionValues, parseOptions } from "../options.ts";
import { append, type FindEffects, operandsOf, read, write, writesOption } from "./effect-parts.ts";
import { sevenZip, tar, unzip, zip } from "./kinds/archives.ts";
import {
  applyPatch,
  copy,
  databaseFile,
  dd,
  deletes,
  downloads,
  environment,
  install,
  link,
  move,
  openssl,
  writesOperands,
} from "./kinds/copies.ts";
import { aria2c, curl, transfer, wget } from "./kinds/network.ts";
import { patch } from "./kinds/patch.ts";
import { awk, editor, grep, inPlaceScript, jq, sed, tee } from "./kinds/text.ts";
import { find, git } from "./kinds/trees.ts";

/** Programs whose effects on files need more than a table. */
export const PROGRAM_EFFECTS: ReadonlyMap<string, FindEffects> = new Map<string, FindEffects>([
  [
    "split",
    (_shell, args) =>
      operandsOf(args, {
        short: "abClnt",
        long: ["suffix-length", "bytes", "line-bytes", "lines", "number", "separator", "additional-suffix", "filter"],
      }).map((path, at) => (at === 1 ? write(field(`${path.text}aa`, path.taint), stream(null)) : read(path))),
  ],
  ["apply_patch", applyPatch],
  ["applypatch", applyPatch],
  ["patch", patch],
  ["cp", copy],
  ["gcp", copy],
  ["install", install],
  ["ln", link],
  ["link", copy],
  ["mv", move],
  ["rename", move],
  ...["rm", "unlink", "rmdir", "srm", "trash", "trash-put", "grm", "shred"].map((name) => [name, deletes] as const),
  ...["rimraf", "del-cli"].map((name) => [name, deletes] as const),
  ...["sqlite3", "duckdb"].map((name) => [name, databaseFile] as const),
  ...["lwp-download", "axel"].map((name) => [name, downloads] as const),
  ["dd", dd],
  ["virtualenv", environment],
  ["tee", tee],
  ["sponge", tee],
  ["sed", sed],
  ["gsed", sed],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk] as const),
  ["curl", curl],
  ["wget", wget],
  ["tar", tar],
  ["bsdtar", tar],
  ["jar", tar],
  ["zip", zip],
  // It reads the names of what it packs.
  ...["cpio", "pax"].map(
    (name) => [name, (_shell, _args, { text, taint }) => namesIn(text, taint).map(read)] as [string, FindEffects],
  ),
  ["unzip", unzip],
  ...["7z", "7za", "7zr", "7zz"].map((name) => [name, sevenZip] as const),
  ["find", find],
  ["git", git],
  // An identity file is used for signing in, not sent.
  ["ssh", () => []],
  ["scp", transfer],
  ["rsync", transfer],
  [
    "sort",
    writesOption(["-o", "--output"], {
      short: "kStT",
      long: ["key", "compress-program", "temporary-directory", "buffer-size", "parallel"],
    }),
  ],
  ["gpg", writesOption(["-o", "--output"])],
  ["openssl", openssl],
  ["perl", inPlaceScript],
  ["ruby", inPlaceScript],
  ...["vi", "vim", "nvim", "ex", "view"].map((name) => [name, editor] as const),
  ["aria2c", aria2c],
  ["base64", (_shell, args) => operandsOf(args, { short: "wio", long: ["wrap"] }).map(read)],
  ["truncate", writesOperands],
  ["touch", writesOperands],
  ["mkdir", writesOperands],
  ["mkfifo", writesOperands],
  ["mknod", writesOperands],
  ["chattr", writesOperands],
  ["setfacl", writesOperands],
  [
    "uniq",
    (_shell, args) =>
      operandsOf(args, { short: "fsw" }).map((path, at) => (at === 1 ? write(path, stream(null)) : read(path))),
  ],
  ...["grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep"].map((name) => [name, grep] as const),
  ["jq", jq],
  [
    "xxd",
    (_shell, args) =>
      operandsOf(args, { short: "closgn" }).map((path, at) => (at === 1 ? write(path, stream(null)) : read(path))),
  ],
  [
    "chmod",
    (_shell, args) =>
      operandsOf(args, {})
        .slice(1)
        .map((path) => append(path, stream(""))),
  ],
  ["ssh-keygen", sshKeygen],
]);

const KEYGEN_VALUES = "tbCNPmOIVnzsE";

/** With `-l` it only prints the fingerprint of the file. */
function sshKeygen(...given: Parameters<FindEffects>): ReturnType<FindEffects> {
  const parsed = parseOptions(given[1], { short: `f${KEYGEN_VALUES}` });
  if (hasOption(parsed, "-l")) return [...optionValues(parsed, "-f"), ...parsed.operands].map(read);
  return writesOption(["-f"], { short: KEYGEN_VALUES })(...given);
}

/** The lines of a list of names, as far as it is known. */
function namesIn(text: string | null, taint: number): readonly Field[] {
  return (text ?? "")
    .split(/[\n\0]/)
    .filter(Boolean)
    .slice(0, MAX_NAMES)
    .map((name) => field(name, taint));
}

/** A longer list is that of a whole tree, so its folder counts. */
const MAX_NAMES = 200;

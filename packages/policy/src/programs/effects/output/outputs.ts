import { isSecretPath } from "../../../dangers/paths/secret-paths.ts";
import type { FileEffect } from "../../../language/commands/invocation.ts";
import type { Shell } from "../../../language/grammar/shell.ts";
import {
  type Field,
  has,
  isKnown,
  STAR,
  type Stream,
  stream,
  TAINT,
  TAINTS_NEVER_RUN,
} from "../../../language/state/values.ts";
import { baseName } from "../../../language/words/paths.ts";
import { formatEcho, formatPrintf } from "../../../language/words/printf.ts";
import { decodeKnown } from "../../code/decoders.ts";
import { hasOption, parseOptions } from "../../options.ts";
import { readPath } from "../file-streams.ts";
import { packedByTar } from "../kinds/archives.ts";
import { isEndlessDevice, passesOnEndless } from "./endless.ts";
import { filteredNames } from "./filtered-names.ts";
import { keepsLead, keepsLines, leadOf } from "./leading-words.ts";
import { listedFolder } from "./listed-folder.ts";
import {
  fetchesOverNetwork,
  isListing,
  listedRoots,
  printsHeld,
  printsNumber,
  printsSecrets,
  printsToken,
} from "./output-kinds.ts";
import { printedFolder } from "./printed-folders.ts";
import { printedName, projectRoot } from "./printed-names.ts";
import { printedField } from "./settings-fields.ts";

/** Programs whose output came over the network. */
export const NETWORK_SOURCES = new Set(
  "curl wget aria2c http https httpie xh lynx w3m links elinks fetch nc ncat netcat socat telnet ftp tftp sftp lftp ssh rsh rclone gsutil dig nslookup host whois finger axel curlie".split(
    " ",
  ),
);

/** Programs that print decoded data. */
const DECODERS = new Set(
  "gunzip zcat gzcat bzcat bunzip2 xzcat unxz zstdcat unzstd lzcat lz4cat unlzma uncompress uudecode rev tr basenc funzip iconv ascii2uni recode".split(
    " ",
  ),
);
/** Programs that decode only with one of these options. */
const DECODES_WITH: ReadonlyMap<string, RegExp> = new Map([
  ["base64", /^(-[a-zA-Z]*[dD][a-zA-Z]*|--decode)$/],
  ["base32", /^(-d|--decode)$/],
  ["xxd", /^-[a-z]*r/],
  ["openssl", /^-d$/],
  ["gzip", /^-[a-z]*d|^--decompress/],
  ["bzip2", /^-[a-z]*d|^--decompress/],
  ["xz", /^-[a-z]*d|^--decompress/],
  ["zstd", /^-[a-z]*d|^--decompress/],
  ["lz4", /^-[a-z]*d/],
  ["unzip", /^-[a-z]*p/],
  ["7z", /^-so$/],
  ["gpg", /^(-d|--decrypt)$/],
  ["tar", /^-?[a-z]*O/],
  ["jq", /@base64d|implode/],
  ["hexdump", /%c/],
]);
/** Programs that transform a literal. Before a shell, this only serves to hide code. */
const TRANSFORMERS = new Set(
  "sed gsed awk gawk mawk perl cut fold paste column tac fmt expand numfmt shuf m4 dc bc printf".split(" "),
);

/** The output of a program, as far as it is known. */
export function outputOf(
  shell: Shell,
  program: string,
  args: readonly Field[],
  stdin: Stream,
  effects: readonly FileEffect[],
): Stream {
  const printed = printedBy(shell, program, args, stdin, effects);
  const lead = printed.isNumber || printed.isName ? null : leadOf(program, args, stdin);
  return lead === null ? printed : { ...printed, lead };
}

function printedBy(
  shell: Shell,
  program: string,
  args: readonly Field[],
  stdin: Stream,
  effects: readonly FileEffect[],
): Stream {
  switch (program) {
    case ":":
    case "true":
    case "false":
      return stream("");
    case "echo":
      return formatEcho(args, shell.state.dialect);
    case "printf":
      return formatPrintf(args);
    case "cat":
    case "tee":
    case "sponge":
      return {
        ...withEndless(concatenate(shell, program === "cat" ? args : [], stdin), effects),
        ...held(program, args, stdin),
      };
    case "tar":
    case "bsdtar": {
      const packed = packedByTar(shell, args);
      if (packed !== null) return packed;
      break;
    }
    case "yes":
      return stream(
        `${args.map(({ text }) => text).join(" ") || "y"}\n`,
        args.reduce<number>((all, arg) => all | arg.taint, TAINT.endless),
      );
    case "pwd":
      return stream(shell.state.cwd === null ? null : `${shell.state.cwd}\n`);
    case "mktemp":
      return temporaryName(args);
    case "whoami":
      return stream(`${shell.context.user}\n`);
    case "basename":
    case "dirname":
      return namePart(program, args);
    case "which":
    case "type":
      return programPath(args);
    case "command":
      return hasOption(parseOptions(args, { stopsAtOperand: true }), "-v", "-V") ? programPath(args) : stream(null);
  }
  if (printsNumber(program, args, stdin)) return { ...stream(null), isNumber: true };
  const known =
    projectRoot(shell, program, args) ?? printedFolder(shell, program, args) ?? printedField(shell, program, args);
  if (known !== null) return known;
  const inherited = inheritedTaint(program, args, stdin, effects);
  if (stdin.lead !== undefined && keepsLead(program, args, stdin.lead))
    return stdin.lead.is === "number"
      ? { ...stream(null), isNumber: true }
      : { ...stream(null, inherited), isName: true };
  if ((stdin.isName || stdin.isNumber) && keepsLines(program, args)) return stdin;
  const name = printedName(program, args, inherited);
  if (name !== null) return name;
  if (isDecoder(program, args))
    return stream(decodeKnown(program, args, decoderInput(shell, args, stdin)), inherited | TAINT.encoded);
  if (TRANSFORMERS.has(program) && stdin.text !== null && stdin.text.trim() !== "")
    return stream(null, inherited | TAINT.encoded);
  if (printsSecrets(program, args))
    return {
      ...stream(null, inherited | TAINT.secret | (printsToken(program, args) ? TAINT.token : 0)),
      // Reading what was typed before is ordinary, looking for a password in it is not.
      ...(/^(?:history|fc)$/.test(program) && { mayHold: "settings" as const }),
    };
  const holding = held(program, args, LIST_FILTERS.has(program) ? stdin : null);
  if (holding !== null) return { ...stream(null, inherited), ...holding };
  if (isListing(program, args)) {
    // `ls .e*` prints the name that was given.
    const secret = program === "ls" ? parseOptions(args, {}).operands.find(namesSecret) : undefined;
    if (secret !== undefined) return stream(secret.text, secret.taint | TAINT.listing);
    const roots = program === "git" || program === "go" ? [] : listedRoots(program, args);
    return {
      text: null,
      taint: TAINT.listing | (inherited & TAINTS_NEVER_RUN),
      listing: listedFolder(
        shell,
        roots.map(({ text }) => withoutWildcard(text)),
      ),
      ...(program === "ls" && args.some(({ text }) => /^-[a-zA-Z]*[aA]|^--(almost-)?all$/.test(text)) && SHOWS_HIDDEN),
    };
  }
  // A filter's output on a list of names is again a list of names.
  if (stdin.listing === null || !LIST_FILTERS.has(program)) return stream(null, inherited);
  const sources = stdin.sources !== undefined && keepsLines(program, args) ? { sources: stdin.sources } : {};
  const names = { text: null, taint: inherited, listing: stdin.listing, ...sources };
  return filteredNames(program, args, stdin) ?? (stdin.hasHidden ? { ...names, ...SHOWS_HIDDEN } : names);
}

/** Whether it is the name of a secret file, and not that of a folder. */
function namesSecret({ text }: Field): boolean {
  return isSecretPath(`/x/${baseName(text)}`, "/home");
}

/** What may contain credentials, or comes from it. */
function held(program: string, args: readonly Field[], stdin: Stream | null): Pick<Stream, "mayHold"> | null {
  const mayHold = printsHeld(program, args) ?? stdin?.mayHold;
  return mayHold === undefined ? null : { mayHold };
}

function withEndless(output: Stream, effects: readonly FileEffect[]): Stream {
  const isEndless = effects.some(({ type, path }) => type === "read" && isEndlessDevice(path.text));
  return isEndless ? { ...output, taint: output.taint | TAINT.endless } : output;
}

const SHOWS_HIDDEN = { hasHidden: true } as const;

/** A new name in the folder for temporary files, with a fixed text for the random letters. */
function temporaryName(args: readonly Field[]): Stream {
  const parsed = parseOptions(args, { short: "p", long: ["suffix"] });
  const template = parsed.operands[0]?.text ?? "tmp.XXXXXXXXXX";
  const isElsewhere = hasOption(parsed, "-p", "--tmpdir") || template.startsWith("/");
  if (!isKnown(template) || (isElsewhere && !template.startsWith("/tmp/")) || template.includes(".."))
    return stream(null);
  const isInTemp = template.startsWith("/tmp/") || hasOption(parsed, "-t") || parsed.operands.length === 0;
  return stream(isInTemp ? `/tmp/${template.replace(/^\/tmp\//, "")}\n` : `${template}\n`);
}

/** `ls -d /*` lists the contents of `/`. */
function withoutWildcard(path: string): string {
  return path.includes(STAR) ? path.slice(0, path.lastIndexOf("/", path.indexOf(STAR)) + 1) || "." : path;
}

const LIST_FILTERS = new Set("grep egrep fgrep head tail sort uniq sed awk tr cut tac shuf".split(" "));

function inheritedTaint(
  program: string,
  args: readonly Field[],
  stdin: Stream,
  effects: readonly FileEffect[],
): number {
  let taint = stdin.taint | (NETWORK_SOURCES.has(program) || fetchesOverNetwork(program, args) ? TAINT.network : 0);
  for (const arg of args) taint |= arg.taint & (TAINTS_NEVER_RUN | TAINT.secretVariable);
  for (const effect of effects) {
    if (effect.type !== "read") continue;
    taint |= effect.content?.taint ?? 0;
    if (isEndlessDevice(effect.path.text)) taint |= TAINT.endless;
  }
  return passesOnEndless(program, args) ? taint : taint & ~TAINT.endless;
}

function isDecoder(program: string, args: readonly Field[]): boolean {
  const option = DECODES_WITH.get(program);
  return DECODERS.has(program) || (option !== undefined && args.some(({ text }) => option.test(text)));
}

function concatenate(shell: Shell, args: readonly Field[], stdin: Stream): Stream {
  const files = parseOptions(args, {}).operands;
  if (files.length === 0) return stdin;
  const parts = files.map((path) => (path.text === "-" || path.text === "/dev/stdin" ? stdin : readPath(shell, path)));
  const text = parts.every((part) => part.text !== null) ? parts.map((part) => part.text).join("") : null;
  return stream(
    text,
    parts.reduce((all, part) => all | part.taint, 0),
  );
}

function namePart(program: string, args: readonly Field[]): Stream {
  const path = parseOptions(args, {}).operands[0];
  if (path === undefined || !isKnown(path.text)) return stream(null, path?.taint ?? 0);
  const text =
    program === "basename" ? baseName(path.text) : path.text.slice(0, Math.max(1, path.text.lastIndexOf("/")));
  return stream(`${text}\n`, path.taint);
}

/** `$(which rm)` is equivalent to `rm`. */
function programPath(args: readonly Field[]): Stream {
  const name = args.find(({ text }) => !text.startsWith("-"));
  if (name === undefined || !isKnown(name.text) || has(name.taint, TAINTS_NEVER_RUN))
    return stream(null, name?.taint ?? 0);
  return stream(name.text.includes("/") ? `${name.text}\n` : `/usr/bin/${name.text}\n`, name.taint);
}

function decoderInput(shell: Shell, args: readonly Field[], stdin: Stream): string | null {
  const path = parseOptions(args, {}).operands[0];
  const content = path && path.text !== "-" ? readPath(shell, path) : stdin;
  return content.text ?? stdin.text;
}

import { parse, type Word, type WordPart } from "unbash";
import type { Shell } from "../grammar/shell.ts";
import { ANY_ONE, type Field, field, HOLE, has, STAR, type Stream, streamField, TAINT } from "../state/values.ts";
import { fileWith } from "../state/written-files.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { expandBraces, losesWords } from "./braces.ts";
import { activateGlobs } from "./glob.ts";
import { expandNamed, expandParameter } from "./parameters.ts";

/** A part of a word during expansion. `splits`: an unquoted expansion, split at IFS afterwards. */
export interface Piece {
  readonly text: string;
  readonly taint: number;
  readonly splits: boolean;
  /** `"$@"`: the next part is a new field. */
  readonly breaksAfter?: boolean;
  /** Quoted or literal text makes a field even if it is empty. */
  readonly isQuoted?: boolean;
}

const MAX_BRACE_TEXT = 500;

/** Expands a word to fields: braces, tilde, parameters, substitutions, splitting, globs. */
export function expandWord(shell: Shell, word: Word): Field[] {
  if (word.parts === undefined) return [field(expandTilde(shell, word.value, word.text))];
  if (word.parts.some((part) => part.type === "BraceExpansion")) {
    // People do not write such a word by hand, and it may expand to millions of words.
    if (word.text.length > MAX_BRACE_TEXT || losesWords(word.text)) {
      shell.note("too-complex", "a brace expansion");
      return [field(HOLE, TAINT.data)];
    }
    const sources = expandBraces(word.text);
    if (sources.length > 1 || sources[0] !== word.text) {
      shell.markWalked(word);
      return sources.flatMap((source) => expandSource(shell, source));
    }
  }
  return splitFields(shell, expandParts(shell, word.parts, false));
}

/** The same without splitting, as in an assignment or after `case`. */
export function expandToOne(shell: Shell, word: Word): Field {
  if (word.parts === undefined) return field(expandTilde(shell, word.value, word.text));
  return joinPieces(expandParts(shell, word.parts, false));
}

/** A value that is longer than the size limit of texts is not tracked. */
const MAX_VALUE = 64 * 1024;

export function joinPieces(pieces: readonly Piece[]): Field {
  let text = "";
  let taint = 0;
  if (pieces.reduce((sum, piece) => sum + piece.text.length, 0) > MAX_VALUE) {
    return field(
      HOLE,
      pieces.reduce((all, piece) => all | piece.taint, TAINT.data as number),
    );
  }
  for (const [index, piece] of pieces.entries()) {
    text += piece.text + (piece.breaksAfter && index < pieces.length - 1 ? " " : "");
    taint |= piece.taint;
  }
  return field(text, taint);
}

/** A word from brace expansion: it is in no tree, so it is parsed separately. */
function expandSource(shell: Shell, source: string): Field[] {
  if (source === "") return [];
  const statement = parse(`: ${source}`).commands[0]?.command;
  const words = statement?.type === "Command" ? statement.args : [];
  return words.flatMap((word) => {
    if (word.type !== "Word") return [field(word.text)];
    if (word.parts === undefined) return [field(expandTilde(shell, word.value, word.text))];
    return splitFields(shell, expandParts(shell, word.parts, false));
  });
}

export function expandParts(shell: Shell, parts: readonly WordPart[], isQuoted: boolean): Piece[] {
  return parts.flatMap((part, index) =>
    isAddress(parts[index - 1], part) ? [literal(part.text)] : expandPart(shell, part, isQuoted, index === 0),
  );
}

/** `http://[::1]:3000`: no file has this name, so the shell keeps the brackets. */
function isAddress(before: WordPart | undefined, part: WordPart): boolean {
  return (
    part.type === "Glob" &&
    before?.type === "Literal" &&
    /^(?:https?|wss?):\/\/$/i.test(before.value) &&
    /^\[[0-9a-f:.]+\]$/i.test(part.text)
  );
}

function expandPart(shell: Shell, part: WordPart, isQuoted: boolean, isFirst: boolean): Piece[] {
  if (part.type.endsWith("Expansion") && !shell.spend()) return [{ text: HOLE, taint: TAINT.data, splits: false }];
  switch (part.type) {
    case "Literal":
      return [literal(isFirst && !isQuoted ? expandTilde(shell, part.value, part.text) : part.value)];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ ...literal(part.value), isQuoted: true }];
    case "DoubleQuoted":
    case "LocaleString":
      return [{ ...literal(""), isQuoted: true }, ...expandParts(shell, part.parts, true)];
    case "Glob": {
      // `a[$(cmd)]`: the substitution runs, even if the pattern matches nothing.
      const inner = part.parts === undefined ? [] : expandParts(shell, part.parts, isQuoted);
      const taint = inner.reduce((all, { taint: one }) => all | one, 0);
      return [{ ...literal(globText(part.kind, part.text)), taint }];
    }
    case "ExtendedGlob":
      expandParts(shell, part.parts ?? [], false);
      return [literal(STAR)];
    case "BraceExpansion":
      return part.parts ? expandParts(shell, part.parts, isQuoted) : [literal(part.text)];
    case "SimpleExpansion":
      return counted(shell, expandNamed(shell, part.text.slice(1), isQuoted));
    case "ParameterExpansion":
      return counted(
        shell,
        expandParameter(shell, part, isQuoted, (word) => expandToOne(shell, word)),
      );
    case "ArithmeticExpansion":
      return [piece(field(evaluateArithmetic(shell, part.expression, part.text)), isQuoted)];
    case "CommandExpansion":
      return [piece(substitute(shell, part), isQuoted)];
    case "ProcessSubstitution":
      return [literal(substituteProcess(shell, part))];
  }
}

/** Zsh keeps a value with spaces as one word, unless an option says otherwise. */
function unsplit(shell: Shell, pieces: Piece[]): Piece[] {
  if (!pieces.some(({ text, splits }) => splits && /\s/.test(text))) return pieces;
  shell.note("other-shell", "zsh");
  return pieces.map((one) => ({ ...one, splits: false }));
}

/** Copying long values repeatedly is work too. */
function counted(shell: Shell, expanded: Piece[]): Piece[] {
  const pieces = shell.state.dialect === "zsh" ? unsplit(shell, expanded) : expanded;
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, pieces.length);
  return shell.spend(length >> 8) ? pieces : [{ text: HOLE, taint: TAINT.data, splits: false }];
}

function literal(text: string): Piece {
  return { text, taint: 0, splits: false };
}

function piece(from: Field, isQuoted: boolean): Piece {
  return { ...from, splits: !isQuoted };
}

function globText(kind: "star" | "question" | "bracket", text: string): string {
  if (kind === "star") return STAR;
  // `[m]` can only match an m.
  const only = /^\[([^!^\]])\]$/.exec(text);
  return only?.[1] ?? ANY_ONE;
}

type Substitution = Extract<WordPart, { type: "CommandExpansion" | "ProcessSubstitution" }>;

function runSubstitution(shell: Shell, part: Substitution, stdin: Stream): Stream {
  const { script } = part;
  shell.walked.add(part);
  if (script === undefined) {
    shell.note("unparseable", "a substitution that cannot be read");
    return { text: null, taint: TAINT.data, listing: null };
  }
  shell.note("substitution", part.text);
  const outer = shell.frame;
  // Backticks with escapes were decoded into a separate source: report all of them.
  if (script.source !== undefined) {
    shell.frame = { source: script.source, span: outer.span ?? { start: part.pos, end: part.end } };
  }
  const output = shell.inSubshell(() => shell.runScript(script, stdin));
  shell.frame = outer;
  return output;
}

function substitute(shell: Shell, part: Extract<WordPart, { type: "CommandExpansion" }>): Field {
  // It reads from the shell's input, which is unknown.
  const output = runSubstitution(shell, part, { text: null, taint: 0, listing: null });
  if (output.text === null) return streamField(output);
  return field(output.text.replace(/\n+$/, ""), output.taint);
}

/**
 * `<(…)` becomes a file with the command's output; `>(…)` becomes a file that runs the command on what is written to
 * it.
 */
function substituteProcess(shell: Shell, part: Extract<WordPart, { type: "ProcessSubstitution" }>): string {
  const path = `/dev/fd/${part.operator === "<" ? 63 : 64}-${part.pos}`;
  const output = runSubstitution(shell, part, { text: null, taint: TAINT.data, listing: null });
  if (part.operator === "<") shell.state.files.set(path, fileWith(output));
  else shell.onWrite(path, (written) => runSubstitution(shell, part, written));
  return path;
}

function expandTilde(shell: Shell, value: string, source: string): string {
  if (!source.startsWith("~")) return value;
  // `~+` is the current folder, `~-` and `~2` are earlier ones.
  const place = /^~([+-]|\d+)(?=\/|$)/.exec(value);
  if (place !== null) return ((place[1] === "+" ? shell.state.cwd : null) ?? HOLE) + value.slice(place[0].length);
  const match = /^~([A-Za-z_][\w-]*)?(?=\/|:|$)/.exec(value);
  if (match === null) return value;
  const user = match[1];
  const home =
    user === undefined || user === shell.context.user ? homeOf(shell) : user === "root" ? "/root" : `/home/${user}`;
  return home + value.slice(match[0].length);
}

function homeOf(shell: Shell): string {
  return shell.state.variables.get("HOME")?.items[0] ?? shell.context.home;
}

/** With an unknown part, the whole word is unknown. */
const TOO_LONG: Piece = { text: HOLE.repeat(MAX_VALUE), taint: TAINT.data, splits: false };

/** Splits the results of unquoted expansions at IFS, and joins the rest. */
function splitFields(shell: Shell, pieces: readonly Piece[]): Field[] {
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  if (length > MAX_VALUE || !shell.spend(length >> 8)) return [joinPieces([...pieces, TOO_LONG])];
  const ifs = shell.state.variables.get("IFS")?.items[0] ?? " \t\n";
  const fields: Field[] = [];
  let text = "";
  let taint = 0;
  let exists = false;
  const finish = () => {
    if (exists) fields.push(field(text, taint));
    text = "";
    taint = 0;
    exists = false;
  };
  for (const part of pieces) {
    if (!part.splits) {
      text += part.text;
      taint |= part.taint;
      exists ||= part.text !== "" || part.isQuoted === true;
    } else {
      const cut = cutAt(activateGlobs(part.text), ifs);
      for (const [index, fragment] of cut.entries()) {
        if (index > 0) finish();
        if (fragment === "") continue;
        text += fragment;
        taint |= part.taint;
        exists = true;
      }
    }
    if (part.breaksAfter) finish();
  }
  finish();
  // A list of file names counts as not empty. Only the value of an unset variable may disappear.
  return fields.length === 0 && pieces.some((part) => has(part.taint, TAINT.unset))
    ? [field(HOLE, TAINT.unset)]
    : fields;
}

function cutAt(text: string, separators: string): string[] {
  if (separators === "") return [text];
  const fragments = [""];
  for (const char of text) {
    if (separators.includes(char)) fragments.push("");
    else fragments[fragments.length - 1] += char;
  }
  return fragments;
}

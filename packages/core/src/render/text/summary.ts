/** How much of a text is shown. All in characters. */
export interface SummaryLimits {
  /** A text up to this length is returned unchanged. */
  maxChars: number;
  /** A longer one is cut to this length, including the notice, which leaves room to say where the rest is. */
  previewChars: number;
  maxLineChars: number;
}

export const DEFAULT_SUMMARY_LIMITS: SummaryLimits = { maxChars: 4_000, previewChars: 3_800, maxLineChars: 500 };

/** The toolset `sessions` crops at 10,000 and has no limit per line. */
export const SESSIONS_SUMMARY_LIMITS: SummaryLimits = {
  maxChars: 10_000,
  previewChars: 10_000,
  maxLineChars: 10_000,
};

export interface Summary {
  text: string;
  /** Nothing was left out, neither lines nor parts of lines. */
  isWhole: boolean;
  /** The lines left out in the middle; null if none are. Lines count from 1. */
  omitted: { lines: number; bytes: number; fromLine: number; toLine: number } | null;
  totalLines: number;
}

/** Room for the newline, and for a wider number than the notice was measured with. */
const NOTICE_SLACK = 8;

/** Keeps the head and the tail of a text, and counts the lines in between. */
export function summarise(text: string, limits: SummaryLimits = DEFAULT_SUMMARY_LIMITS): Summary {
  const original = text.split("\n");
  const lines = original.map((line) => capLine(line, limits.maxLineChars));
  const capped = lines.join("\n");
  const totalLines = original.length;
  if (capped.length <= limits.maxChars) return { text: capped, isWhole: capped === text, omitted: null, totalLines };

  const longestNotice = omissionNotice({ lines: totalLines, bytes: 999_999, fromLine: totalLines, toLine: totalLines });
  const budget = Math.max(0, limits.previewChars - longestNotice.length - NOTICE_SLACK);
  const headEnd = countFitting(lines, Math.floor(budget / 2));
  const headChars = lengthOf(lines.slice(0, headEnd));
  const tailCount = countFitting(lines.slice(headEnd).reverse(), budget - headChars);
  if (headEnd + tailCount === 0) return cutWithinLines(lines, original, limits.previewChars);

  const tailStart = totalLines - tailCount;
  const omitted = measure(original, headEnd, tailStart);
  const parts = [...lines.slice(0, headEnd), omissionNotice(omitted), ...lines.slice(tailStart)];
  return { text: parts.join("\n"), isWhole: false, omitted, totalLines };
}

/** A readable number of bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** The first characters of a text, never half of a surrogate pair. */
export function takeChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const code = text.charCodeAt(maxChars - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? maxChars - 1 : maxChars);
}

/** The last characters of a text, never half of a surrogate pair. */
function takeLastChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.length - maxChars;
  const code = text.charCodeAt(start);
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start);
}

function capLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const notice = ` … ${formatCount(line.length)} characters in this line`;
  return takeChars(line, Math.max(0, maxChars - notice.length)) + notice;
}

/** The notice in place of the lines that are left out. */
export function omissionNotice({ lines, bytes, fromLine, toLine }: NonNullable<Summary["omitted"]>): string {
  const what = lines === 1 ? "1 line" : `${formatCount(lines)} lines`;
  const where = lines === 1 ? `line ${fromLine}` : `lines ${fromLine}–${toLine}`;
  return `… ${what}, ${formatBytes(bytes)} left out, ${where} …`;
}

/** How many lines from the start fit, each with its newline. */
function countFitting(lines: string[], maxChars: number): number {
  let used = 0;
  for (const [index, line] of lines.entries()) {
    used += line.length + 1;
    if (used > maxChars) return index;
  }
  return lines.length;
}

function lengthOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function measure(lines: string[], from: number, to: number): NonNullable<Summary["omitted"]> {
  const bytes = Buffer.byteLength(lines.slice(from, to).join("\n"));
  return { lines: to - from, bytes, fromLine: from + 1, toLine: to };
}

/** If not even one line fits, lines are cut. */
function cutWithinLines(lines: string[], original: string[], previewChars: number): Summary {
  const whole = lines.join("\n");
  const notice = (hidden: number) => `\n… ${formatCount(hidden)} characters left out …\n`;
  const half = Math.max(0, Math.floor((previewChars - notice(whole.length).length) / 2));
  const head = takeChars(whole, half);
  const tail = takeLastChars(whole, half);
  const text = takeChars(`${head}${notice(whole.length - head.length - tail.length)}${tail}`, previewChars);
  return { text, isWhole: false, omitted: null, totalLines: original.length };
}

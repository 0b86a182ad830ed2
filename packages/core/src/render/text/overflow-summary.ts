import type { OverflowFiles } from "./overflow-files.ts";
import { formatBytes, formatCount, type Summary, type SummaryLimits, summarise } from "./summary.ts";

/** A summary whose last line says where the whole text is, within the same limit. */
export async function summariseToFile(
  text: string,
  limits: SummaryLimits,
  { files, lostBytes = 0 }: { files: OverflowFiles; lostBytes?: number },
): Promise<Summary & { fullTextPath: string | null }> {
  const summary = summarise(text, limits);
  if (summary.isWhole) return { ...summary, fullTextPath: null };

  let fullTextPath: string | null = null;
  let notice: string;
  try {
    fullTextPath = await files.write(text);
    const lines = `${formatCount(summary.totalLines)} lines`;
    const what = lostBytes === 0 ? `All ${lines}` : `The ${lines} that are left; ${formatBytes(lostBytes)} are lost`;
    notice = `[${what}: ${fullTextPath}]`;
  } catch (error) {
    // A full disk must not keep the summary from the reader.
    notice = `[The whole text could not be written to a file: ${(error as NodeJS.ErrnoException).code ?? "failed"}]`;
  }
  const previewChars = Math.min(limits.previewChars, limits.maxChars - notice.length - 1);
  const preview = summarise(text, { ...limits, maxChars: previewChars, previewChars });
  return { ...preview, isWhole: false, text: `${preview.text}\n${notice}`, fullTextPath };
}

import type { UnifiedOutput } from "./reply.ts";

/**
 * A reply as text, which is all that most clients show their model.
 *
 * Commands finished meanwhile come first, then the output, and the last line has the rest: state, place, and what to do.
 */
export function toText(output: UnifiedOutput): string {
  const finished = (output.finished_tasks ?? []).flatMap((task) => [
    `[finished meanwhile: ${task.command} (${task.handle_id}), exit code ${task.exit_code ?? "unknown"}]`,
    task.output,
  ]);
  return [...finished, withoutNotice(output), lastLine(output)].filter((line) => line !== "").join("\n");
}

/** The output's own last line names the file with all of it, and so does the last line of the reply: once is enough. */
function withoutNotice({ output, full_output_file }: UnifiedOutput): string {
  const end = output.lastIndexOf("\n");
  return full_output_file && output.endsWith(`: ${full_output_file}]`) ? output.slice(0, Math.max(0, end)) : output;
}

function lastLine(output: UnifiedOutput): string {
  const facts = [
    output.state ?? (output.security_blocked ? "blocked" : undefined),
    output.exit_code === undefined ? undefined : `exit code ${output.exit_code ?? "unknown"}`,
    output.handle_id && `handle_id ${output.handle_id}`,
    output.duration_ms === undefined ? undefined : `${(output.duration_ms / 1000).toFixed(1)} s`,
    output.terminal_id &&
      `${output.terminal_id}${output.shell_is_shared ? " (shared)" : ""}${output.cwd ? ` in ${output.cwd}` : ""}`,
    output.changes && `${output.changes} (${output.changed_by})`,
    output.evidence === "silence" ? "state guessed from silence" : undefined,
    output.handle_id && output.position !== undefined ? `position ${output.position}` : undefined,
    output.rule && `rule ${output.rule}`,
    output.refused_part && `because of: ${output.refused_part}`,
    output.omitted_lines && `lines ${output.omitted_lines.from}–${output.omitted_lines.to} left out`,
    output.full_output_file && `all of it in ${output.full_output_file}`,
    output.lost_bytes && `${output.lost_bytes} bytes lost`,
  ].filter((fact) => fact !== undefined && fact !== 0 && fact !== "");
  const line = [facts.join(", "), output.hint ?? ""].filter((part) => part !== "").join(". ");
  return line === "" ? "" : `[${line}]`;
}

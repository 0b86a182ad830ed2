import { isSecretPath } from "../../dangers/paths/secret-paths.ts";
import type { FileEffect, ResolvedEffect } from "../../language/commands/invocation.ts";
import type { Shell } from "../../language/grammar/shell.ts";
import { followLinks } from "../../language/state/links.ts";
import { type Field, HOLE, has, TAINT } from "../../language/state/values.ts";
import { resolvePath } from "../../language/words/paths.ts";
import { readPath } from "./file-streams.ts";

/** Every absolute path that a field can mean, including the path with unset variables as empty strings. */
export function pathsOf(path: Field, cwd: string | null): string[] {
  const texts = [path.text];
  if (has(path.taint, TAINT.unset) && path.text.includes(HOLE)) texts.push(path.text.replaceAll(HOLE, ""));
  return texts.flatMap((text) => {
    const resolved = text === "" ? null : resolvePath(text, cwd);
    return resolved === null ? [] : [resolved];
  });
}

/** The paths as written, and their link targets. */
function throughLinks(shell: Shell, paths: string[]): string[] {
  if (shell.state.links.size === 0) return paths;
  return [...new Set(paths.flatMap((path) => [path, followLinks(shell, path)]))];
}

/** Resolves the path of an effect, and for a read its content. */
export function resolveEffect(shell: Shell, effect: FileEffect): ResolvedEffect {
  const paths = throughLinks(shell, pathsOf(effect.path, shell.state.cwd));
  // Its text is known, or a compiler built it from the project.
  const wasWritten =
    paths.length > 0 &&
    paths.every((path) => {
      const file = shell.state.files.get(path);
      return (file?.text ?? "") !== "" || (file?.isBuilt === true && effect.type === "delete");
    });
  if (effect.type !== "read") return { ...effect, paths, isSecret: false, wasWritten };
  const content = effect.content ?? readPath(shell, effect.path);
  // Reading already covered the first path; the others are those with an empty variable.
  const isSecret =
    has(content.taint, TAINT.secret | TAINT.secretVariable) ||
    paths.slice(1).some((path) => isSecretPath(path, shell.context.home));
  return { ...effect, content, paths, isSecret, wasWritten };
}

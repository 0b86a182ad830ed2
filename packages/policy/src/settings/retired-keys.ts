/** A key that earlier versions accepted although it had no effect. */
interface RetiredKey {
  readonly path: readonly [string, ...string[]];
  /** Its value in an untouched file. */
  readonly oldDefault: unknown;
  /** Why any other value is refused, and what to do. */
  readonly message: string;
  readonly fix: string;
}

const RETIRED: readonly RetiredKey[] = [
  {
    path: ["network", "allowed"],
    oldDefault: true,
    message: '"network.allowed" has no effect; "network.mode" says what terminals behind a wall can reach.',
    fix: 'Remove it, give the agent a wall ("isolation": "sandbox") and set "network": { "mode": "none" }.',
  },
  {
    path: ["providers"],
    oldDefault: { local: { type: "local" } },
    message: '"providers" has no effect; "isolation" says where the programs of agents run.',
    fix: "Remove it.",
  },
  {
    path: ["notifications", "browser"],
    oldDefault: true,
    message: '"notifications.browser" has no effect: each person turns them on in their own browser.',
    fix: "Remove it; the console has the switch under Settings.",
  },
  {
    path: ["notifications", "webhooks"],
    oldDefault: [],
    message: '"notifications.webhooks" has no effect: webhooks are kept in the database, with their secrets.',
    fix: "Remove it, and add the webhook in the console under Settings.",
  },
];

export interface RetiredProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly fix: string;
}

/**
 * Removes retired keys from the content of a file. A key at its old default is dropped with a notice. Any other value
 * is an error, because the author relies on it.
 */
export function withoutRetiredKeys(content: unknown): {
  content: unknown;
  notices: string[];
  problems: RetiredProblem[];
} {
  const notices: string[] = [];
  const problems: RetiredProblem[] = [];
  let rest = content;
  for (const { path, oldDefault, message, fix } of RETIRED) {
    const found = valueAt(rest, path);
    if (found === undefined) continue;
    if (JSON.stringify(found.value) === JSON.stringify(oldDefault)) {
      rest = without(rest, path);
      notices.push(`"${path.join(".")}" is no longer a setting and was ignored; it can be removed.`);
    } else problems.push({ path, message, fix });
  }
  return { content: rest, notices, problems };
}

function valueAt(content: unknown, path: readonly string[]): { value: unknown } | undefined {
  let value = content;
  for (const key of path) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return { value };
}

/** A copy without the key, and without the enclosing object if that becomes empty. */
function without(content: unknown, [key, ...deeper]: readonly string[]): unknown {
  if (!isRecord(content) || key === undefined) return content;
  const { [key]: inner, ...rest } = content;
  if (deeper.length === 0) return rest;
  const left = without(inner, deeper);
  return isRecord(left) && Object.keys(left).length === 0 ? rest : { ...rest, [key]: left };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

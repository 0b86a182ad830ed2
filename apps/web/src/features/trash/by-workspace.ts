/**
 * Groups removed files by the innermost workspace that contained them. Files from
 * elsewhere come last. `shown` is the path within the workspace.
 */
export function byWorkspace<Item extends { path: string }>(
  items: readonly Item[],
  workspaces: readonly string[],
): { folder: string | null; items: (Item & { shown: string })[] }[] {
  const innermostFirst = [...new Set(workspaces)].sort((a, b) => b.length - a.length);
  const groups = new Map<string | null, (Item & { shown: string })[]>();
  for (const item of items) {
    const folder = innermostFirst.find((workspace) => item.path.startsWith(`${workspace}/`)) ?? null;
    const shown = folder === null ? item.path : item.path.slice(folder.length + 1);
    groups.set(folder, [...(groups.get(folder) ?? []), { ...item, shown }]);
  }
  return [...groups]
    .map(([folder, own]) => ({ folder, items: own }))
    .sort((a, b) => Number(a.folder === null) - Number(b.folder === null));
}

import { expect, test } from "vitest";
import { byWorkspace } from "./by-workspace.ts";

test("D9 removed files are grouped by their innermost workspace", () => {
  const items = ["/elsewhere/c", "/work/a", "/work/app/b", "/workshop/d"].map((path) => ({ path }));

  expect(byWorkspace(items, ["/work", "/work/app"])).toEqual([
    { folder: "/work", items: [{ path: "/work/a", shown: "a" }] },
    { folder: "/work/app", items: [{ path: "/work/app/b", shown: "b" }] },
    {
      folder: null,
      items: [
        { path: "/elsewhere/c", shown: "/elsewhere/c" },
        { path: "/workshop/d", shown: "/workshop/d" },
      ],
    },
  ]);
});

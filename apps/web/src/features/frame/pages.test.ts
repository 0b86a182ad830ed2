import { expect, test } from "vitest";
import { PAGES, pagesFor } from "./pages.ts";

test("W11 people see only the pages that their role may use", () => {
  const page = (name: string, role: "viewer" | "operator" | "admin") => {
    const [first] = PAGES;
    if (!first) throw new Error("There are no pages.");
    return { ...first, name, role };
  };
  const pages = [page("all", "viewer"), page("some", "operator"), page("few", "admin")];

  const seen = (role: "viewer" | "operator" | "admin") => pagesFor(role, pages).map(({ name }) => name);

  expect(seen("viewer")).toEqual(["all"]);
  expect(seen("operator")).toEqual(["all", "some"]);
  expect(seen("admin")).toEqual(["all", "some", "few"]);
});

test("W11 each page has a unique key and address", () => {
  expect(new Set(PAGES.map(({ key }) => key)).size).toBe(PAGES.length);
  expect(new Set(PAGES.map(({ href }) => href)).size).toBe(PAGES.length);
});

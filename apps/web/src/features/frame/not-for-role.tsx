import type { Page } from "./pages.ts";

/** In place of a page that this person may not use, such as one from a colleague's link. */
export function NotForRole({ page }: { page: Page }) {
  return (
    <main className="w-full p-4 sm:p-6">
      <h1 className="text-xl font-semibold tracking-tight">{page.name}</h1>
      <p className="mt-3 text-sm text-muted">This page needs the role {page.role}. Ask an admin for it.</p>
    </main>
  );
}

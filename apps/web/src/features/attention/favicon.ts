const QUIET = "/icon.svg";

/** Puts the number of what waits into the icon of the tab, where it is seen among twenty others. */
export function drawFavicon(waiting: number): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]") ?? addLink();
  link.href = waiting === 0 ? QUIET : `data:image/svg+xml,${encodeURIComponent(badge(waiting))}`;
}

function badge(waiting: number): string {
  const text = waiting > 9 ? "9+" : String(waiting);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#ffb454"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#2a1a00">${text}</text></svg>`;
}

function addLink(): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "icon";
  document.head.append(link);
  return link;
}

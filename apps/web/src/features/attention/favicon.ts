const ID = "attention-icon";

/** Puts the number of waiting commands into the tab's icon, where it is visible among many tabs. */
export function drawFavicon(waiting: number): void {
  document.getElementById(ID)?.remove();
  if (waiting === 0) return;
  // Browsers use the last icon, so the page's own can stay.
  const link = document.createElement("link");
  link.id = ID;
  link.rel = "icon";
  link.type = "image/svg+xml";
  link.href = `data:image/svg+xml,${encodeURIComponent(badge(waiting))}`;
  document.head.append(link);
}

function badge(waiting: number): string {
  const text = waiting > 9 ? "9+" : String(waiting);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#ffb454"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#2a1a00">${text}</text></svg>`;
}

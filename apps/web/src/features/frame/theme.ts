const KEY = "belay-theme";

/** Light or dark in this browser; null follows the system. */
export function setTheme(theme: "light" | "dark" | null): void {
  if (theme) localStorage.setItem(KEY, theme);
  else localStorage.removeItem(KEY);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Runs before the first paint, so that nobody sees the other colours flash. */
export const THEME_SCRIPT = `try{const t=localStorage.getItem("${KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

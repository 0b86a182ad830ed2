const KEY = "belay-theme";

/** Light or dark in this browser; null follows the system. */
export function setTheme(theme: "light" | "dark" | null): void {
  if (theme) localStorage.setItem(KEY, theme);
  else localStorage.removeItem(KEY);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Runs before the first paint, to avoid a flash of the wrong theme. */
export const THEME_SCRIPT = `try{const t=localStorage.getItem("${KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

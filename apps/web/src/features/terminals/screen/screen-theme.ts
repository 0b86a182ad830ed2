import type { ITheme } from "@xterm/xterm";

/** Dark in both themes: the colours that programs print are chosen for a dark background. */
export const SCREEN_THEME: ITheme = {
  background: "#0a0c0e",
  foreground: "#d5dadc",
  cursor: "#4fd1b0",
  cursorAccent: "#0a0c0e",
  selectionBackground: "#2f5148",
  black: "#2b3338",
  red: "#ff8a80",
  green: "#6fd79a",
  yellow: "#ffc66d",
  blue: "#82b1ff",
  magenta: "#d7a6ff",
  cyan: "#5fd7d7",
  white: "#d5dadc",
  brightBlack: "#7f8c93",
  brightRed: "#ffb1aa",
  brightGreen: "#9be8b8",
  brightYellow: "#ffd999",
  brightBlue: "#aecbff",
  brightMagenta: "#e6caff",
  brightCyan: "#9aeaea",
  brightWhite: "#ffffff",
};

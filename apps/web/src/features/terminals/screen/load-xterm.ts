/** xterm.js is large and needs the browser, so it is loaded on its own. */
export const loadXterm = () => import("./xterm-view.tsx").then(({ XtermView }) => XtermView);

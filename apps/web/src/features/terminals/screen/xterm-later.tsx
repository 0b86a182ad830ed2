"use client";

import { later } from "@/ui/later/later.tsx";
import { Loading } from "@/ui/states/loading.tsx";

/** xterm.js is large and needs the browser, so it is loaded on its own, and only where a terminal is likely to be opened. */
export const XtermLater = later(() => import("./xterm-view.tsx").then(({ XtermView }) => XtermView), {
  loading: () => <Loading what="the terminal" />,
  isPreloaded: false,
});

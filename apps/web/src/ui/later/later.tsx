"use client";

import { type ComponentType, createElement, type ReactNode, Suspense, use, useState } from "react";
import { untilLoaded } from "../states/until-loaded.ts";
import { firstScreen } from "./first-screen.ts";

/** A component whose code is loaded apart from the page. */
export type LaterPart<Props> = ComponentType<Props> & {
  /** Loads it, because a person is about to need it. */
  load(): void;
};

interface LaterOptions<Props> {
  /** Shown until it has arrived. */
  loading?(props: Props): ReactNode;
  /** Whether it is loaded after the first screen, at an idle moment. If not, it is loaded on first use. */
  isPreloaded?: boolean;
}

/**
 * A part of the page that its first screen does not need. It is loaded after that, so that it is usually there, and
 * drawn at once, when it is first shown.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading = () => null, isPreloaded = true }: LaterOptions<Props> = {},
): LaterPart<Props> {
  const loadOnce = untilLoaded(load);
  let loaded: ComponentType<Props> | null = null;
  let arriving: Promise<ComponentType<Props>> | null = null;
  const arrive = () => {
    arriving ??= loadOnce().then((part) => {
      loaded = part;
      return part;
    });
    return arriving;
  };
  // Rendering it reports a failure.
  const start = () => void arrive().catch(() => {});
  if (isPreloaded && typeof window !== "undefined") firstScreen.after(start);

  function Arriving(props: Props) {
    return createElement(use(arrive()), props);
  }
  function Later(props: Props) {
    // Decided once for each place it is shown in: drawing it in another way would lose its state.
    const [Part] = useState(() => loaded);
    if (Part) return createElement(Part, props);
    return (
      <Suspense fallback={loading(props)}>
        <Arriving {...props} />
      </Suspense>
    );
  }
  return Object.assign(Later, { load: start });
}

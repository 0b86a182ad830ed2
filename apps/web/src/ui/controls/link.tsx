"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { useIsAfterFirstScreen } from "../later/use-first-screen.ts";

/**
 * A link to another page of the console. The page is fetched ahead once this one has shown its first screen, or as soon
 * as a person points at the link, so that it opens at once and does not slow down the page it is on.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  const isAfter = useIsAfterFirstScreen();
  const [isLikely, setIsLikely] = useState(false);
  const onLikely = () => setIsLikely(true);
  return (
    <NextLink
      {...props}
      prefetch={isAfter || isLikely ? null : false}
      onPointerEnter={onLikely}
      onPointerDown={onLikely}
      onFocus={onLikely}
    />
  );
}

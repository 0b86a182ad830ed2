import type { ScreenSnapshot } from "../../pool/requests.ts";
import type { ScreenSize } from "../emulator.ts";
import type { ScreenRequest } from "../worker/worker-messages.ts";
import { Screen } from "./screen.ts";

/** The screens of one thread. */
export class WorkerScreens {
  readonly #screens = new Map<string, Screen>();
  #usedLately = new Set<string>();

  answer(request: ScreenRequest): ScreenSnapshot | null {
    switch (request.type) {
      case "feedScreen":
        this.#take(request).feed(request.position, request.bytes);
        return null;
      case "resizeScreen":
        this.#take(request).resize(request.size);
        return null;
      case "snapshotScreen":
        return this.#take(request).snapshot(request);
      case "sketchScreen":
        return sketch(request);
      case "dropScreen":
        this.#screens.get(request.id)?.freeze();
        this.#screens.delete(request.id);
        return null;
      case "restScreens":
        for (const [id, screen] of this.#screens) if (!this.#usedLately.has(id)) screen.freeze();
        this.#usedLately = new Set();
        return null;
    }
  }

  #take({ id, size, position }: { id: string; size: ScreenSize; position: number }): Screen {
    this.#usedLately.add(id);
    let screen = this.#screens.get(id);
    if (!screen) {
      screen = new Screen(size, position);
      this.#screens.set(id, screen);
    }
    return screen;
  }
}

function sketch({ size, position, bytes, scrollbackLines }: Extract<ScreenRequest, { type: "sketchScreen" }>) {
  const screen = new Screen(size, position);
  try {
    screen.feed(position, bytes);
    return { ...screen.snapshot({ scrollbackLines }), isExact: false };
  } finally {
    screen.dispose();
  }
}

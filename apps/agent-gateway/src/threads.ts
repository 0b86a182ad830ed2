import { TextRenderer } from "@belay/core";
import { JudgeThreads } from "./policy/threads/judge-threads.ts";

/** The threads that judge agents' texts, and that render their output. Each starts when it is needed first. */
export interface Threads {
  judgeThreads: JudgeThreads;
  renderer: TextRenderer;
}

export function openThreads(): Threads {
  return { judgeThreads: new JudgeThreads(), renderer: new TextRenderer() };
}

export async function closeThreads({ judgeThreads, renderer }: Threads): Promise<void> {
  await Promise.all([judgeThreads.close(), renderer.close()]);
}

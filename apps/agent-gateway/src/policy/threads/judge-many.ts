import type { JudgeContext } from "@belay/policy";
import type { BriefJudgement, ManyText, PolicySource } from "./judge-task.ts";
import { type JudgeThreads, JudgeTimeout } from "./judge-threads.ts";

/** A batch takes far less than the watchdog's limit, and is small enough for other requests to get in between. */
const AT_ONCE = 100;

/**
 * Judges many recorded texts, each on its own in a fresh terminal, without blocking anything else.
 * Identical ones are judged once. One that takes too long gives "ask", as it would in a real run.
 */
export async function judgeMany(
  threads: JudgeThreads,
  texts: readonly ManyText[],
  context: Partial<JudgeContext>,
  source: PolicySource,
): Promise<BriefJudgement[]> {
  const known = new Map<string, BriefJudgement>();
  const distinct = [...new Map(texts.map((each) => [keyOf(each), each])).values()];
  for (let at = 0; at < distinct.length; at += AT_ONCE) {
    const part = distinct.slice(at, at + AT_ONCE);
    const judged = await judgePart(threads, part, context, source);
    part.forEach((each, index) => void known.set(keyOf(each), judged[index] ?? TOO_SLOW));
  }
  return texts.map((each) => known.get(keyOf(each)) ?? TOO_SLOW);
}

const TOO_SLOW: BriefJudgement = { decision: "ask", runs: [] };

async function judgePart(
  threads: JudgeThreads,
  texts: readonly ManyText[],
  context: Partial<JudgeContext>,
  source: PolicySource,
): Promise<BriefJudgement[]> {
  try {
    return await threads.run({ type: "many", texts, context }, source, "people");
  } catch (error) {
    if (!(error instanceof JudgeTimeout)) throw error;
    if (texts.length === 1) return [TOO_SLOW];
    const half = Math.ceil(texts.length / 2);
    const first = await judgePart(threads, texts.slice(0, half), context, source);
    return [...first, ...(await judgePart(threads, texts.slice(half), context, source))];
  }
}

function keyOf({ text, profile, wall }: ManyText): string {
  return `${profile}\n${JSON.stringify(wall ?? null)}\n${text}`;
}

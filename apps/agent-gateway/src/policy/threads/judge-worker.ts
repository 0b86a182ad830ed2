import { parentPort } from "node:worker_threads";
import type { Policy } from "@belay/policy";
import { performTask, policyFrom } from "./judge-task.ts";
import type { ThreadReply, ThreadRequest } from "./judge-threads.ts";

/** The thread's entry point: one task in, one result out. It caches the latest policies. */
const MAX_POLICIES = 4;
const policies = new Map<string, Policy>();

parentPort?.on("message", ({ key, source, task }: ThreadRequest) => {
  parentPort?.postMessage(answer({ key, source, task }));
});
parentPort?.postMessage({ type: "ready" } satisfies ThreadReply);

function answer({ key, source, task }: ThreadRequest): ThreadReply {
  try {
    if (source) policies.set(key, policyFrom(source));
    const [oldest] = policies.keys();
    if (policies.size > MAX_POLICIES && oldest !== undefined) policies.delete(oldest);
    const policy = policies.get(key);
    return policy ? { type: "done", result: performTask(task, policy) } : { type: "no-policy" };
  } catch (error) {
    return { type: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

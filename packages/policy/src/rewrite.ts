import { quoteWord, type Rewrite } from "@belay/protocol";
import type { Invocation } from "./language/commands/invocation.ts";
import { isKnown } from "./language/state/values.ts";
import { baseName } from "./language/words/paths.ts";

const REASON = "Downloads the script so that it can be read before it is run.";

/** Rewrites `curl … | bash` as a download to review (D7). The new command is judged like any other. */
export function suggestRewrite(invocations: readonly Invocation[]): Rewrite | null {
  for (const { program, args } of invocations) {
    if (!/^(curl|wget)$/.test(program)) continue;
    const url = args.find(({ text }) => /^(https?|ftp):\/\//.test(text) && isKnown(text));
    if (url === undefined) continue;
    const file = `review-${baseName(url.text.replace(/[?#].*$/, "")).replace(/[^\w.-]/g, "_") || "script"}`;
    const quoted = quoteWord(url.text);
    return { command: `curl -fsSL -o ./${file} -- ${quoted} && cat ./${file}`, reason: REASON };
  }
  return null;
}

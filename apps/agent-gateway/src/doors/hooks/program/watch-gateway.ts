/** While a person is asked, the gateway is asked now and then whether it still reacts. */
const CHECK_EVERY_MS = 5_000;
const PATIENCE_MS = 10_000;

/**
 * Rejects once the gateway no longer reacts. A process that hangs, or was stopped, still has its socket open, and a
 * client should not wait ten minutes for it. A check that fails at once does not count: the call itself then fails too.
 */
export function gatewayHangs(check: () => Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const checkLater = () => setTimeout(checkNow, CHECK_EVERY_MS);
    const checkNow = () => {
      const hangs = setTimeout(
        () => reject(new Error("the gateway is running, but does not react; look at its log, and restart it")),
        PATIENCE_MS,
      );
      const onReaction = () => {
        clearTimeout(hangs);
        checkLater();
      };
      check().then(onReaction, onReaction);
    };
    checkLater();
  });
}

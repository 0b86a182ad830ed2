/** Holds back typing until the shell shows its prompt. */
export class PromptGate {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  open(): void {
    for (const proceed of this.#waiting.splice(0)) proceed();
  }
}

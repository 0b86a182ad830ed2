/** Takes server-sent events apart, and hands over the data of each that has any. */
export class EventStream {
  readonly #onData: (data: string) => void;
  #rest = "";
  #data: string[] = [];

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  push(chunk: string): void {
    this.#rest += chunk;
    // A carriage return at the very end may be half of a line break.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    if (line.startsWith("data:")) this.#data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "") return;
    const data = this.#data.join("\n");
    this.#data = [];
    if (data !== "") this.#onData(data);
  }
}

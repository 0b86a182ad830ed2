/** Parses server-sent events and yields the data of each event that has any. */
export class EventStream {
  readonly #onData: (data: string) => void;
  #rest = "";
  #data: string[] = [];

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  push(chunk: string): void {
    this.#rest += chunk;
    // A trailing carriage return may be the first half of a CRLF.
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

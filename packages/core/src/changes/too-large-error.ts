/** The workspace is too large for a history. Scanning it again soon would have the same result. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";

  constructor(size: string) {
    super(`The workspace ${size}, so it has no history. Leave folders out with undo.exclude.`);
  }

  static bytes(maxBytes: number): TooLargeError {
    return new TooLargeError(`holds more than undo.maxBytes (${maxBytes.toLocaleString("en")} bytes)`);
  }

  static files(maxFiles: number): TooLargeError {
    return new TooLargeError(`has more than ${maxFiles.toLocaleString("en")} files`);
  }
}

/** One or more strings that a variable holds. Characters of `HOLES` stand for what cannot be known. */
export interface Value {
  readonly items: readonly string[];
  readonly isArray: boolean;
  readonly taint: number;
}

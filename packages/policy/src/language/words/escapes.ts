/** The escapes of `echo -e`, `printf` and `$'…'`. */
export function decodeEscapes(text: string): string {
  const simple: Record<string, string> = {
    n: "\n",
    t: "\t",
    r: "\r",
    a: "\u0007",
    b: "\b",
    e: "\u001b",
    f: "\f",
    v: "\v",
    "\\": "\\",
  };
  return text.replace(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|0?[0-7]{1,3}|[ntrabefv\\])/g,
    (_, code: string) => {
      const known = simple[code];
      if (known !== undefined) return known;
      const value = /^[xuU]/.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8);
      return value <= 0x10ffff ? String.fromCodePoint(value) : "";
    },
  );
}

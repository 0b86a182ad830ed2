/** The words of a command line, without quotes and operators; enough to look for file names. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let isWord = false;
  let quote: "'" | '"' | null = null;
  const end = () => {
    if (isWord) words.push(word);
    word = "";
    isWord = false;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (char === "\\" && quote === '"' && /["\\$`]/.test(text.charAt(at + 1))) {
        at += 1;
        word += text.charAt(at);
      } else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      isWord = true;
    } else if (char === "\\" && at + 1 < text.length) {
      at += 1;
      if (text.charAt(at) !== "\n") word += text.charAt(at);
      isWord = true;
    } else if (/[\s;&|<>()`]/.test(char)) end();
    else {
      word += char;
      isWord = true;
    }
  }
  end();
  return words;
}

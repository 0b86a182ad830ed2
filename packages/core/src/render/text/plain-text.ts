/**
 * Converts bytes to text without an emulator: control sequences are removed, cursor movement is
 * ignored. Used as the fallback when rendering failed, so it is one pass without
 * backtracking and cannot fail itself.
 */
export function stripControls(bytes: Uint8Array): string {
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  let clean = "";
  let state: "text" | "escape" | "csi" | "string" | "stringEscape" = "text";
  let textStart = 0;

  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    switch (state) {
      case "text": {
        const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
        if (!isControl) continue;
        clean += text.slice(textStart, index);
        textStart = index + 1;
        state = enter(code);
        continue;
      }
      case "escape":
        if (code >= 0x20 && code <= 0x2f) continue;
        state = code === 0x5b ? "csi" : isStringOpener(code) ? "string" : "text";
        break;
      case "csi":
        if (code >= 0x20 && code <= 0x3f) continue;
        state = code === 0x1b ? "escape" : "text";
        break;
      case "string":
        if (code === 0x1b) state = "stringEscape";
        if (code !== 0x07 && code !== 0x9c && code !== 0x18 && code !== 0x1a) continue;
        state = "text";
        break;
      case "stringEscape":
        state = code === 0x5c ? "text" : "string";
        break;
    }
    textStart = index + 1;
  }
  return state === "text" ? clean + text.slice(textStart) : clean;
}

function enter(code: number): "text" | "escape" | "csi" | "string" {
  if (code === 0x1b) return "escape";
  if (code === 0x9b) return "csi";
  return code === 0x90 || (code >= 0x98 && code <= 0x9f && code !== 0x9a && code !== 0x9c) ? "string" : "text";
}

/** DCS, SOS, OSC, PM and APC carry text that is not for the screen. */
function isStringOpener(code: number): boolean {
  return code === 0x50 || code === 0x58 || code === 0x5d || code === 0x5e || code === 0x5f;
}

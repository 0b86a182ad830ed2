import type { CellStyle } from "../emulator.ts";

/** The sequence that sets exactly this style, regardless of the previous one. */
export function sgr(style: CellStyle): string {
  const codes = [0];
  const flags: [isSet: number, code: number][] = [
    [style.isBold(), 1],
    [style.isDim(), 2],
    [style.isItalic(), 3],
    [style.isBlink(), 5],
    [style.isInverse(), 7],
    [style.isInvisible(), 8],
    [style.isStrikethrough(), 9],
    [style.isOverline(), 53],
  ];
  for (const [isSet, code] of flags) if (isSet) codes.push(code);
  codes.push(...foreground(style), ...background(style));
  return `\x1b[${codes.join(";")}m${underline(style)}`;
}

function foreground(style: CellStyle): number[] {
  const colour = style.getFgColor();
  if (style.isFgRGB()) return [38, 2, ...rgb(colour)];
  if (!style.isFgPalette()) return [];
  return colour < 16 ? [colour < 8 ? 30 + colour : 82 + colour] : [38, 5, colour];
}

function background(style: CellStyle): number[] {
  const colour = style.getBgColor();
  if (style.isBgRGB()) return [48, 2, ...rgb(colour)];
  if (!style.isBgPalette()) return [];
  return colour < 16 ? [colour < 8 ? 40 + colour : 92 + colour] : [48, 5, colour];
}

/** In a separate sequence, because its parts are separated by colons. */
function underline(style: CellStyle): string {
  const line = style.getUnderlineStyle();
  if (line === 0) return "";
  const colour = style.getUnderlineColor();
  const coloured = style.isUnderlineColorRGB()
    ? `\x1b[58:2::${rgb(colour).join(":")}m`
    : style.isUnderlineColorPalette()
      ? `\x1b[58:5:${colour}m`
      : "";
  return `\x1b[4:${line}m${coloured}`;
}

function rgb(colour: number): [number, number, number] {
  return [(colour >>> 16) & 0xff, (colour >>> 8) & 0xff, colour & 0xff];
}

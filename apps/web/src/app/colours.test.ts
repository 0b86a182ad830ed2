import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("./globals.css", import.meta.url), "utf8");

/** Role → colour in light and dark. */
const colours = new Map(
  [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, role, light, dark]) => [
    role,
    { light: light ?? "", dark: dark ?? "" },
  ]),
);

const SURFACES = ["surface", "raised", "sunken"];
const TEXT_ON_SURFACES = ["ink", "muted", "accent", "attention", "danger"];

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  const of = (role: string) => colours.get(role)?.[scheme] ?? "";

  test.each(TEXT_ON_SURFACES.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))(
    "W11 %s is readable on %s",
    (text, surface) => {
      expect(contrast(of(text), of(surface))).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each([
    ["on-accent", "accent"],
    ["on-attention", "attention"],
    ["on-danger", "danger"],
    ["accent", "accent-soft"],
    ["attention", "attention-soft"],
    ["danger", "danger-soft"],
    ["ink", "attention-soft"],
    ["ink", "danger-soft"],
  ])("W11 %s is readable on %s", (text, ground) => {
    expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(SURFACES)("W11 the edge of a field is visible on %s", (surface) => {
    expect(contrast(of("edge"), of(surface))).toBeGreaterThanOrEqual(3);
  });
});

/** The contrast ratio of WCAG 2: 1 for the same colour, 21 for black on white. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

import { expect, test } from "vitest";
import { Pens } from "./pens.ts";

const ESC = "\x1b";
const replies = [
  `${ESC}[?1;2c`,
  `${ESC}[>0;276;0c`,
  `${ESC}[12;40R`,
  `${ESC}[0n`,
  `${ESC}[?2026;2$y`,
  `${ESC}[8;40;120t`,
  `${ESC}[I`,
  `${ESC}]11;rgb:0000/0000/0000${ESC}\\`,
  `${ESC}P>|xterm.js(6.0)${ESC}\\`,
  `${ESC}[?1;2c${ESC}[12;40R`,
];
const typed = [
  "a",
  "\r",
  `${ESC}`,
  `${ESC}[A`,
  `${ESC}OP`,
  `${ESC}[1;5C`,
  `${ESC}[200~ls${ESC}[201~`,
  "\x03",
  `${ESC}[12;40Rx`,
];

test.each(replies)("B9 the answer %j of an emulator counts from one viewer only: who typed last", (reply) => {
  const pens = new Pens();
  const [ada, bob] = [{}, {}];

  pens.passes("pty-a", ada, "ls\r");

  expect([pens.passes("pty-a", ada, reply), pens.passes("pty-a", bob, Buffer.from(reply))]).toEqual([true, false]);
  pens.passes("pty-a", bob, "q");
  expect([pens.passes("pty-a", ada, reply), pens.passes("pty-a", bob, reply)]).toEqual([false, true]);
  pens.drop(bob);
  expect(pens.passes("pty-a", ada, reply)).toBe(true);
});

test.each(typed)("B9 %j is typed, and counts from whoever may type", (keys) => {
  const pens = new Pens();
  const [ada, bob] = [{}, {}];

  pens.passes("pty-a", ada, "x");

  expect(pens.passes("pty-a", bob, keys)).toBe(true);
});

import { expect, test } from "vitest";
import { type PenPerson, Pens, type PenWindow } from "./pens.ts";

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
const ada = { id: "1", name: "Ada" };
const bob = { id: "2", name: "Bob" };

test.each(replies)("B9 the emulator reply %j is accepted only from the window with the pen", (reply) => {
  const pens = new Pens();
  const [desk, phone] = [openWindow(), openWindow()];

  pens.types("pty-a", desk, ada, "ls\r");

  expect([pens.types("pty-a", desk, ada, reply), pens.types("pty-a", phone, bob, Buffer.from(reply))]).toEqual([
    "passes",
    "dropped",
  ]);
  pens.take("pty-a", phone, bob);
  expect([pens.types("pty-a", desk, ada, reply), pens.types("pty-a", phone, bob, reply)]).toEqual([
    "dropped",
    "passes",
  ]);
  pens.drop(phone);
  expect(pens.types("pty-a", desk, ada, reply)).toBe("passes");
});

test.each(typed)("W2 typing %j takes a free pen, and never another person's", (keys) => {
  const pens = new Pens();
  const [desk, phone, other] = [openWindow(), openWindow(), openWindow()];

  expect(pens.types("pty-a", desk, ada, keys)).toBe("passes");
  expect(pens.types("pty-a", other, bob, keys)).toEqual({ heldBy: "Ada" });
  // A person's own pen follows them to another window.
  expect(pens.types("pty-a", phone, ada, keys)).toBe("passes");
  expect([pens.of("pty-a", phone)?.isYou, pens.of("pty-a", desk)?.isYou]).toEqual([true, false]);
});

test("W2 only the window with the pen sets the size", () => {
  const pens = new Pens();
  const [desk, phone, other] = [openWindow(), openWindow(), openWindow()];

  pens.types("pty-a", desk, ada, "x");

  expect(pens.resizes("pty-a", desk, ada)).toBe("passes");
  expect(pens.resizes("pty-a", phone, ada)).toBe("dropped");
  expect(pens.resizes("pty-a", other, bob)).toEqual({ heldBy: "Ada" });
});

test("W13 a pen is asked for and handed over; closing a window frees it", () => {
  const pens = new Pens();
  const [desk, other] = [openWindow(), openWindow()];
  const moves: string[] = [];
  pens.subscribe((id) => moves.push(`${id} ${pens.of(id, other)?.name ?? "free"}`));

  pens.take("pty-a", desk, ada);
  pens.ask("pty-a", other, bob);
  pens.give("pty-a", other, null); // this window does not have it
  pens.give("pty-a", desk, "2");
  pens.drop(other);

  expect(desk.askedBy).toEqual(["Bob"]);
  expect(moves).toEqual(["pty-a Ada", "pty-a Bob", "pty-a free"]);
});

function openWindow(): PenWindow & { askedBy: string[] } {
  const askedBy: string[] = [];
  return { askedBy, penAsked: (_id: string, { name }: PenPerson) => void askedBy.push(name) };
}

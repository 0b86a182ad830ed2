import { findNodeAtLocation, type Node } from "jsonc-parser";

type Path = readonly (string | number)[];

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}

export function nodeAt(root: Node, path: Path): Node | undefined {
  return findNodeAtLocation(root, [...path]);
}

/** The position of a path in the text; if it is missing, the nearest enclosing element. */
export function locate(text: string, root: Node, path: Path): { path: string; line: number; column: number } {
  let known = [...path];
  let node = nodeAt(root, known);
  while (node === undefined && known.length > 0) {
    known = known.slice(0, -1);
    node = nodeAt(root, known);
  }
  return { path: path.join("."), ...positionOf(text, keyOffset(node ?? root)) };
}

/** For a property, the position of its key, which is what people look for. */
function keyOffset(node: Node): number {
  return node.parent?.type === "property" ? node.parent.offset : node.offset;
}

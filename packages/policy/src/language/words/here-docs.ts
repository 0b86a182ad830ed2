import { forEachChild, type SyntaxNode } from "unbash";

/** True if a here-document has no end: the parser does not report that, and the shell waits for it. */
export function findHereDocProblem(root: SyntaxNode): boolean {
  let isOpen = false;
  const visit = (node: SyntaxNode) => {
    if (isOpen) return;
    if (node.type === "HereDoc" && node.closing === undefined) isOpen = true;
    else forEachChild(node, visit);
  };
  visit(root);
  return isOpen;
}

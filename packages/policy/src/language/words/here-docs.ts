import { forEachChild, type SyntaxNode } from "unbash";

/** Whether a here-document has no end. The parser does not report that, and the shell would wait for it. */
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

import { forEachChild, type SyntaxNode } from "unbash";

/** True where a here-document's end is missing: the parser does not call that an error, the shell waits for it. */
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

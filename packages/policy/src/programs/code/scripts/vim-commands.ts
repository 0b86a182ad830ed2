/** Commands of vim that leave it, check it, or run the project's tests. */
const HARMLESS =
  /^:?(?:q|qa|qall|quit|quitall|wq|x|cq|cquit)!?$|^:?(?:checkhealth|version|messages|scriptnames)$|^:?PlenaryBusted(?:File|Directory) [\w./-]+(?: \{[\w\s=.'"/,-]*\})?$|^:?lua require\(?\s*['"]plenary\.test_harness['"]\s*\)?\.test_(?:directory|file)\(['"][\w./-]+['"](?:,\s*\{[\w\s=.'"/,-]*\})?\)$/;

/** Whether a command of vim's own starts no program and writes nothing but its file. */
export function isHarmlessInVim(command: string): boolean {
  return HARMLESS.test(command.trim());
}

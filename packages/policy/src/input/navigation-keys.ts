/** Programs in which single keys are commands, by their key bindings. */
export type KeyFamily = "pager" | "vi" | "nano" | "emacs" | "monitor" | "browser";

const FAMILIES: Readonly<Record<KeyFamily, readonly string[]>> = {
  pager: "less more most man pg bat batcat info pinfo w3m lynx links elinks zless lv ov delta".split(" "),
  vi: "vi vim nvim view rview vimdiff nvimdiff ex ed rvim evim gvim vimtutor elvis nvi vis hx helix kak".split(" "),
  nano: "nano pico rnano micro joe jmacs jstar mcedit ne tilde".split(" "),
  emacs: "emacs emacsclient mg zile jove uemacs".split(" "),
  monitor: "top htop btop atop glances iotop nethogs iftop powertop nvtop watch".split(" "),
  browser:
    "mutt neomutt alpine mail mailx s-nail tig ranger nnn mc vifm lf yazi lazygit lazydocker gitui k9s ncdu fzf crontab visudo vipw dialog whiptail aptitude cfdisk fdisk parted".split(
      " ",
    ),
};

const FAMILY_OF: ReadonlyMap<string, KeyFamily> = new Map(
  Object.entries(FAMILIES).flatMap(([family, programs]) =>
    programs.map((program): [string, KeyFamily] => [program, family as KeyFamily]),
  ),
);

export function keyFamilyOf(program: string): KeyFamily | null {
  return FAMILY_OF.get(program) ?? null;
}

/** Arrows, Home, End, Page Up and Down, as terminals send them. */
const MOVE = "\\u001b(?:\\[[ABCDHF]|O[ABCDHF]|\\[[1-8]~)";
const TEXT = "[^\\u0000-\\u001f\\u007f]";

/**
 * Keys that need no approval: navigation, search and quitting. Quitting comes last, because later keys would go to
 * another reader. A prompt must be finished in the same write, so that no key is ambiguous.
 */
const NAVIGATION: Readonly<Record<KeyFamily, RegExp>> = {
  pager: new RegExp(
    `^(?:${MOVE}|[jkdubfgGhrFnN<>^ ]|\\d{1,7}[gGjkdubf]|[\\u0002\\u0004-\\u0006\\u000b\\u000c\\u000e\\u0010\\u0015\\u0019]|\\r|[/?]${TEXT}*\\r)*(?:q|Q)?$`,
  ),
  vi: new RegExp(
    `^(?:${MOVE}|\\u001b(?![\\[O])|[hjklwbeG0$^HMLnN]|gg|[1-9]\\d{0,6}(?:[hjklwbeG]|gg)|[\\u0002\\u0004-\\u0007\\u000c\\u0015\\u0019])*(?::qa?!?\\r|ZQ)?$`,
  ),
  nano: new RegExp(`^(?:${MOVE}|[\\u0001\\u0002\\u0003\\u0005\\u0006\\u000c\\u000e\\u0010\\u0016\\u0019])*\\u0018?$`),
  emacs: new RegExp(
    `^(?:${MOVE}|\\u001b[v<>]|[\\u0001\\u0002\\u0005\\u0006\\u0007\\u000c\\u000e\\u0010\\u0016])*(?:\\u0018\\u0003)?$`,
  ),
  monitor: new RegExp(`^(?:${MOVE}|[hPMTNc1itzxy? ]|\\u000c|\\u001b(?![\\[O]))*q?$`),
  browser: new RegExp(`^(?:${MOVE}|[jk]|\\u000c|\\u001b(?![\\[O]))*q?$`),
};

export function isNavigation(keys: string, family: KeyFamily): boolean {
  return NAVIGATION[family].test(keys);
}

/** A single key that no program treats as a line: an arrow, Tab, Enter, Escape, a letter. */
const ONE_KEY = new RegExp(`^(?:${MOVE}|\\u001b(?:\\[Z)?|[\\t\\r\\u007f\\b]|${TEXT})$`, "u");

export function isOneKey(keys: string): boolean {
  return ONE_KEY.test(keys);
}

/**
 * Commands that keys could pass to a shell: after `!` or `|`, as a string in the program's own
 * language, as a line of a prompt. Shown to the person, and denied if one of them is always denied.
 */
export function commandsInKeys(keys: string): string[] {
  const found = new Set<string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control bytes are where keys end
  for (const run of keys.split(/[\u0000-\u001f\u007f]+/)) {
    if (run.trim() === "") continue;
    found.add(run.replace(/^[:~|!&/?]+/, ""));
    found.add(run.replace(/^[:~|!&]+[$.^'\w]/, ""));
    for (let at = run.search(/[!|]/); at >= 0 && found.size < MAX_COMMANDS; ) {
      found.add(run.slice(at + 1));
      const next = run.slice(at + 1).search(/[!|]/);
      at = next < 0 ? -1 : at + 1 + next;
    }
    for (const match of run.matchAll(/"([^"]*)"|'([^']*)'/g)) found.add(match[1] ?? match[2] ?? "");
    const named =
      /^:?\s*(?:[\d,.$%]*\s*)?(?:term(?:inal)?|sh(?:ell)?|make|grep|e(?:dit)?|r(?:ead)?|w(?:rite)?|w?q|sav(?:eas)?|so(?:urce)?|split|vs|tabe)!?\s+(.+)$/.exec(
        run,
      )?.[1];
    if (named !== undefined) found.add(named);
  }
  return [...found].filter((text) => text.trim() !== "").slice(0, MAX_COMMANDS);
}

const MAX_COMMANDS = 24;

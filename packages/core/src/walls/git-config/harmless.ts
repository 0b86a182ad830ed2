import type { ConfigEntry } from "./entries.ts";

/**
 * Settings that ordinary git work writes and that only affect the repository itself. Any other setting could name a
 * program, another configuration file or another destination, so only these are allowed.
 */
const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|bigfilethreshold|longpaths|preloadindex|untrackedcache|commitgraph|multipackindex|sparsecheckout|sparsecheckoutcone|whitespace)$/,
  /^extensions\.(objectformat|refstorage|partialclone|worktreeconfig)$/,
  /^user\.(name|email|useconfigonly)$/,
  /^remote\..+\.(fetch|push|tagopt|prune|prunetags|mirror|promisor|partialclonefilter|skipfetchall|skipdefaultupdate|gh-resolved)$/,
  /^branch\..+\.(merge|rebase|description|vscode-merge-base|github-pr-owner-number)$/,
  /^branch\.(sort|autosetupmerge|autosetuprebase)$/,
  /^submodule\.(recurse|active|.+\.active)$/,
  /^push\.(default|autosetupremote|followtags)$/,
  /^pull\.(rebase|ff)$/,
  /^fetch\.(prune|prunetags|parallel|writecommitgraph)$/,
  /^merge\.(ff|conflictstyle|stat|log|renames)$/,
  /^rebase\.(autosquash|autostash|stat|updaterefs)$/,
  /^rerere\.(enabled|autoupdate)$/,
  /^commit\.(verbose|status|cleanup)$/,
  /^diff\.(algorithm|renames|colormoved|mnemonicprefix|noprefix|context)$/,
  /^status\.(short|branch|showuntrackedfiles)$/,
  /^(init\.defaultbranch|tag\.sort|column\.ui|index\.version|feature\.manyfiles|gc\.auto|lfs\.repositoryformatversion)$/,
  /^(advice|color)\.[^.]+(\.[^.]+)?$/,
];

/** Settings whose value is a location. */
const PLACES = /^(remote\..+\.(url|pushurl)|branch\..+\.(remote|pushremote)|submodule\..+\.url)$/;
/** A remote helper (`ext::…`), or something that ssh would take for an option. */
const RUNS_SOMETHING = /^-|::|:\/\/-|@-/;
const SUBMODULE_UPDATE = /^submodule\..+\.update$/;

/** Whether a setting cannot make git run a program. */
export function isHarmless({ key, value }: Pick<ConfigEntry, "key" | "value">): boolean {
  if (PLACES.test(key)) return !RUNS_SOMETHING.test(value);
  if (SUBMODULE_UPDATE.test(key)) return /^(checkout|rebase|merge|none)$/.test(value);
  return HARMLESS.some((known) => known.test(key));
}

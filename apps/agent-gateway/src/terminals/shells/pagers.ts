/**
 * Variables that make programs print instead of opening a pager: an agent has head and tail of a long
 * output anyway, and a pager only waits for a key that nobody presses.
 */
export const NO_PAGERS: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  BAT_PAGER: "cat",
  BAT_PAGING: "never",
  DELTA_PAGER: "cat",
  GH_PAGER: "cat",
  GLAB_PAGER: "cat",
  JJ_PAGER: "cat",
  PSQL_PAGER: "cat",
  PERLDOC_PAGER: "cat",
  // These take an empty value for "none".
  AWS_PAGER: "",
};

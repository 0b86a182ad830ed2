/**
 * Variables that make programs print instead of opening a pager: an agent gets the head and tail of a long
 * output anyway, and a pager would wait for a key.
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
  // An empty value means "none" for these.
  AWS_PAGER: "",
};

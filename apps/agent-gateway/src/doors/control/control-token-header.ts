/** The header in which a program shows that it can read the control token. */
export const CONTROL_TOKEN_HEADER = "x-belay-control-token";

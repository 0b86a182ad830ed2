/** The header with which a program proves that it can read the control token. */
export const CONTROL_TOKEN_HEADER = "x-belay-control-token";

/** The header in which a client sends its pid. */
export const PROCESS_HEADER = "x-belay-process";

/** Where the programs that make walls are looked for: never where an agent could put one. */
export const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

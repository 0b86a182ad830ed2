/** The PATH for programs that build walls: never a folder that an agent could write to. */
export const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/** The content type with which `belay hook` requests the output and exit code of its process. */
export const HOOK_REPLY = "application/vnd.belay.hook-reply+json";

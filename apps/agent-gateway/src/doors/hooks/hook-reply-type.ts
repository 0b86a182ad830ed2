/** What `belay hook` asks for: how its process is to end. */
export const HOOK_REPLY = "application/vnd.belay.hook-reply+json";

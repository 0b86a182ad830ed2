/** A second door of the package, for tests of others. */
export { changedSettings, claimedSettings } from "./claimed-settings.ts";

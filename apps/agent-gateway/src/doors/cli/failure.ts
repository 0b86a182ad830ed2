import { explainDamage } from "../../store/sqlite/damage.ts";

/** An error in one sentence. A bug keeps its stack, so that it can be reported. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const damage = explainDamage(error, "The database of Belay (belay.db in its data folder)");
  if (damage) return damage.message;
  const isExpected = ["GatewayError", "SettingsError", "CoreError", "TRPCClientError", "Error"].includes(error.name);
  return isExpected ? error.message : (error.stack ?? error.message);
}

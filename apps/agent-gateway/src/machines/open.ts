import { recordingsDirOf, type SigningKey, type TerminalHost } from "@belay/core";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Settings } from "../env.ts";
import type { EventBus } from "../events.ts";
import type { Db } from "../store/database.ts";
import { Fleet } from "./fleet.ts";
import { loadGatewayKey } from "./gateway-key.ts";
import { Machines } from "./machines.ts";
import { Places } from "./places.ts";
import { RecordingCopies } from "./recording-copies.ts";

interface Deps {
  own: TerminalHost;
  settings: Pick<Settings, "dataDir" | "workspace">;
  db: Db;
  audit: AuditLog;
  events: EventBus;
  now: () => number;
  log: Logger;
}

export interface MachinesRoom {
  machines: Machines;
  /** The key by which other machines know this gateway. */
  machineKey: SigningKey;
  places: Places;
  recordingCopies: RecordingCopies;
}

/** This machine's terminals and those of others, as one host. */
export async function openMachines({
  own,
  settings,
  ...deps
}: Deps): Promise<{ fleet: Fleet; machinesRoom: MachinesRoom }> {
  const machineKey = loadGatewayKey(settings.dataDir);
  const fleet = await Fleet.open({ ...deps, own, onChanged: (name, change) => machines.changed(name, change) });
  const machines = await Machines.open({ ...deps, fleet, key: machineKey });
  const places = new Places({ fleet, machines, ...settings });
  const recordingCopies = new RecordingCopies({ ...deps, fleet, recordingsDir: recordingsDirOf(settings.dataDir) });
  return { fleet, machinesRoom: { machines, machineKey, places, recordingCopies } };
}

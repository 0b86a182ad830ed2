import type { TerminalPool } from "@belay/core";
import type { Logger } from "pino";
import type { AuditLog } from "../audit/audit-log.ts";
import type { AccessGuard } from "../people/access-guard.ts";
import { OpenedPorts } from "./opened-ports.ts";
import type { PortsAddress } from "./ports-address.ts";

export interface PortsRoom {
  /** What agents serve, for the people who opened it. */
  ports: OpenedPorts;
  portsAddress: PortsAddress;
}

interface Deps {
  terminals: TerminalPool;
  audit: AuditLog;
  access: AccessGuard;
  address: PortsAddress;
  log: Logger;
  now: () => number;
}

/** Opens the way to servers that agents run, each port under an address of its own. */
export function openPorts({ log, ...deps }: Deps): PortsRoom {
  const onFailed = (error: unknown) => log.error({ err: error }, "the end of an opened port could not be recorded");
  return { ports: new OpenedPorts({ ...deps, onFailed }), portsAddress: deps.address };
}

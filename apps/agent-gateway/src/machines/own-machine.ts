/** The gateway's own machine, where agents may use it besides others. */
export const OWN_MACHINE = "gateway";

/** The machines that an agent may use; its shells start on the first. */
export function machinesOf({ machines }: { machines: string }): [string, ...string[]] {
  const [first = OWN_MACHINE, ...others] = machines.split(",");
  return [first, ...others];
}

/** Whether an agent may use the gateway's own machine. */
export function worksHere(agent: { machines: string }): boolean {
  return machinesOf(agent).includes(OWN_MACHINE);
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { FilterSelect } from "@/ui/controls/filter-select.tsx";
import { OWN_MACHINE } from "./machine-words.ts";

/** Shows only what is on one machine. Hidden while the gateway's own is the only one. */
export function MachineFilter({ value, onChange }: { value: string; onChange(machine: string): void }) {
  const machines = useQuery(useTRPC().machines.list.queryOptions());
  if (!machines.data?.length && value === "") return null;
  const names = new Set([OWN_MACHINE, ...(machines.data ?? []).map(({ name }) => name), ...(value ? [value] : [])]);
  return (
    <FilterSelect name="Machine" value={value} onChange={onChange}>
      <option value="">Any machine</option>
      {[...names].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </FilterSelect>
  );
}

/** Whether something is on the chosen machine; "" is any. */
export function isOnMachine(chosen: string, { machine = OWN_MACHINE }: { machine?: string | undefined }): boolean {
  return chosen === "" || chosen === machine;
}

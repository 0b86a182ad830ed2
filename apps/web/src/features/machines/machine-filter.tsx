"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.ts";
import { Select } from "@/ui/controls/select.tsx";
import { OWN_MACHINE } from "./machine-words.ts";

/** Shows only what is on one machine. Not there while the gateway's own is the only one. */
export function MachineFilter({ value, onChange }: { value: string; onChange(machine: string): void }) {
  const machines = useQuery(useTRPC().machines.list.queryOptions());
  if (!machines.data?.length && value === "") return null;
  const names = new Set([OWN_MACHINE, ...(machines.data ?? []).map(({ name }) => name), ...(value ? [value] : [])]);
  return (
    <Select
      label="Machine"
      isLabelHidden
      className="w-40"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">All machines</option>
      {[...names].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}

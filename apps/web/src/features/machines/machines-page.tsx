"use client";

import type { MachineView } from "@belay/agent-gateway/router";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useListKeys } from "@/features/frame/keys/use-list-keys.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { useQueryState } from "@/features/frame/use-query-state.ts";
import { useNow } from "@/features/terminals/use-now.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Button } from "@/ui/controls/button.tsx";
import { ListDetail } from "@/ui/lists/list-detail.tsx";
import { SelectList, SelectRow } from "@/ui/lists/select-list.tsx";
import { Failure } from "@/ui/states/failure.tsx";
import { Loading } from "@/ui/states/loading.tsx";
import { MachineDetail } from "./machine-detail.tsx";
import { busyWords, stateWords } from "./machine-words.ts";
import { NewMachineDialog } from "./new-machine-dialog.tsx";

/** The load changes without an event. */
const LOOK_EVERY_MS = 5_000;

/** The other machines that run terminals for this gateway. */
export function MachinesPage() {
  const { isAdmin } = useMe();
  const { get, set } = useQueryState();
  const machines = useQuery(useTRPC().machines.list.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS }));
  const [isAdding, setIsAdding] = useState(false);
  const selected = machines.data?.find(({ name }) => name === get("id")) ?? null;
  const select = (id: string | null) => set({ id });
  useListKeys(machines.data?.map(({ name }) => name) ?? [], selected?.name ?? null, (id) =>
    set({ id }, { replaces: true }),
  );
  if (machines.error && !machines.data)
    return <Failure message={machines.error.message} retry={() => void machines.refetch()} />;
  if (!machines.data) return <Loading what="machines" />;
  return (
    <>
      <ListDetail
        title="Machines"
        actions={
          isAdmin && (
            <Button onClick={() => setIsAdding(true)}>
              <Plus aria-hidden className="size-4" /> New machine
            </Button>
          )
        }
        list={
          machines.data.length === 0 ? (
            <NoMachines isAdmin={isAdmin} />
          ) : (
            <SelectList label="Machines">
              {machines.data.map((machine) => (
                <MachineRow
                  key={machine.name}
                  machine={machine}
                  isSelected={machine === selected}
                  onSelect={() => select(machine.name)}
                />
              ))}
            </SelectList>
          )
        }
        detail={selected && <MachineDetail key={selected.name} machine={selected} isAdmin={isAdmin} />}
        detailName={selected ? `Machine ${selected.name}` : "Machine"}
        onBack={() => select(null)}
      />
      {isAdding && <NewMachineDialog onClose={() => setIsAdding(false)} />}
    </>
  );
}

function MachineRow({
  machine: { name, state, openTerminals, facts, skew, load },
  isSelected,
  onSelect,
}: {
  machine: MachineView;
  isSelected: boolean;
  onSelect(): void;
}) {
  return (
    <SelectRow name={name} state={stateWords(state, useNow())} isSelected={isSelected} onSelect={onSelect}>
      <span className="w-40 truncate text-sm text-muted @max-2xl:hidden">{facts?.hostname}</span>
      <span className="w-28 truncate text-sm text-muted tabular-nums @max-md:hidden">
        {openTerminals === 1 ? "1 terminal" : `${openTerminals} terminals`}
      </span>
      <span className="w-48 truncate text-sm text-muted tabular-nums @max-5xl:hidden">
        {load && `load ${busyWords(load)}`}
      </span>
      <span className="w-48 truncate text-sm text-muted @max-xl:w-auto">
        <span className="@max-xl:hidden">{facts?.program} </span>
        {skew !== null && <span className="text-xs text-attention">other version</span>}
      </span>
    </SelectRow>
  );
}

function NoMachines({ isAdmin }: { isAdmin: boolean }) {
  return (
    <div className="mx-auto grid max-w-lg gap-3 py-16 text-sm">
      <p className="font-medium">All terminals run on the gateway's own machine</p>
      <p className="text-muted">
        Another machine can run terminals for this gateway: it dials out, and needs no open port and no database. Agents
        that may use it work there under the same policy, approvals and record.
      </p>
      <p className="text-muted">
        {isAdmin ? "Make a token with “New machine”, and start Belay there with it." : "An admin adds machines here."}
      </p>
    </div>
  );
}

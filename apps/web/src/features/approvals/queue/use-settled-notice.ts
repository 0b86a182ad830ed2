"use client";

import { useLiveEvent } from "@/features/frame/live/live-events.ts";
import { useMe } from "@/features/frame/use-me.ts";
import { toast } from "@/ui/states/toast.tsx";
import { usePeople } from "../use-people.ts";

/** Says why an item left the queue without this person's answer. */
export function useSettledNotice(agentName: (id: string) => string): void {
  const { me } = useMe();
  const { nameOf } = usePeople();
  useLiveEvent((event) => {
    if (event.type !== "approval" || event.event !== "settled") return;
    const { state, subject } = event.approval;
    const agent = agentName(subject.agentId);
    if (state.status === "approved" && state.by.at(-1) !== me?.id)
      toast(`${nameOf(state.by.at(-1) ?? "")} approved what ${agent} asked.`);
    if (state.status === "denied" && state.by !== me?.id) toast(`${nameOf(state.by)} refused what ${agent} asked.`);
    if (state.status === "expired") toast(`${agent}’s question expired without an answer.`);
    if (state.status === "withdrawn") toast(`${agent} no longer waits: ${state.reason}`);
  });
}

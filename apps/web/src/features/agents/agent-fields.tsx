"use client";

import type { AgentListEntry } from "@belay/agent-gateway/router";
import type { IsolationChoice } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { OWN_MACHINE } from "@/features/machines/machine-words.ts";
import { useTRPC } from "@/trpc/client.ts";
import { Field } from "@/ui/controls/field.tsx";
import { Select } from "@/ui/controls/select.tsx";

/** An admin's choices for an agent, as form fields: text, where empty means "set by the policy". */
export interface AgentForm {
  profile: string;
  isolation: string;
  maxTerminals: string;
  /** A day, in the format of the browser's date field. */
  expires: string;
  workspace: string;
  /** The id of the person the agent acts for. */
  owner: string;
  /** Names of machines, separated by commas. */
  machines: string;
}

export const NEW_AGENT: AgentForm = {
  profile: "",
  isolation: "",
  maxTerminals: "",
  expires: "",
  workspace: "",
  owner: "",
  machines: "",
};

const ISOLATIONS = {
  none: "None: this machine, as the gateway’s user",
  auto: "auto: the strongest of this machine",
  sandbox: "Sandbox",
  container: "Container",
};

export function AgentFields({ form, onChange }: { form: AgentForm; onChange(changes: Partial<AgentForm>): void }) {
  const trpc = useTRPC();
  const options = useQuery(trpc.agents.options.queryOptions());
  const about = useQuery(trpc.gateway.about.queryOptions());
  const people = useQuery(trpc.people.names.queryOptions());
  const machines = useQuery(trpc.machines.list.queryOptions());
  if (!options.data) return <p className="mt-4 text-sm text-muted">Loading the profiles …</p>;
  const { profiles, defaultProfile, isolations, maxTerminals } = options.data;
  const profile = form.profile || defaultProfile;
  return (
    <>
      <Select
        label="Profile"
        hint={profiles.find(({ name }) => name === profile)?.description}
        value={profile}
        onChange={(event) => onChange({ profile: event.target.value })}
      >
        {profiles.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Select
        label="Isolation"
        hint="Lists only what this machine supports."
        value={form.isolation}
        onChange={(event) => onChange({ isolation: event.target.value })}
      >
        <option value="">Set by the profile</option>
        {isolations.map((isolation) => (
          <option key={isolation} value={isolation}>
            {ISOLATIONS[isolation]}
          </option>
        ))}
      </Select>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field
          label="Terminals at most"
          className=""
          type="number"
          min={1}
          max={1000}
          placeholder={String(maxTerminals)}
          value={form.maxTerminals}
          onChange={(event) => onChange({ maxTerminals: event.target.value })}
        />
        <Field
          label="Token expires on"
          className=""
          type="date"
          hint="Empty: valid until revoked."
          value={form.expires}
          onChange={(event) => onChange({ expires: event.target.value })}
        />
      </div>
      <Field
        label="Workspace"
        placeholder={about.data?.workspace}
        pattern="/.*"
        title="An absolute path, such as /home/me/project"
        hint="The folder where its shells start and where its edits need no approval."
        value={form.workspace}
        onChange={(event) => onChange({ workspace: event.target.value })}
      />
      {machines.data && machines.data.length > 0 && (
        <Field
          label="Machines"
          placeholder={OWN_MACHINE}
          title="Names, separated by commas"
          hint={`Separated by commas; its shells start on the first. There are: ${[OWN_MACHINE, ...machines.data.map(({ name }) => name)].join(", ")}.`}
          value={form.machines}
          onChange={(event) => onChange({ machines: event.target.value })}
        />
      )}
      <Select
        label="Acts for"
        hint="The policy can require that other people than this one approve for the agent."
        value={form.owner}
        onChange={(event) => onChange({ owner: event.target.value })}
      >
        <option value="">No owner</option>
        {people.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}

/** The form fields for an existing agent. */
export function formOf(agent: AgentListEntry): AgentForm {
  return {
    profile: agent.profile,
    isolation: agent.isolation ?? "",
    maxTerminals: agent.maxTerminals === null ? "" : String(agent.maxTerminals),
    expires: agent.expiresAt === null ? "" : toDay(agent.expiresAt),
    workspace: agent.workspace ?? "",
    owner: agent.ownerId ?? "",
    machines: agent.machines,
  };
}

/** The request to the gateway. A day ends in the person's time zone. */
export function choicesOf({ profile, isolation, maxTerminals, expires, workspace, owner, machines }: AgentForm) {
  return {
    ...(profile === "" ? {} : { profile }),
    isolation: isolation === "" ? null : (isolation as IsolationChoice),
    maxTerminals: maxTerminals === "" ? null : Number(maxTerminals),
    expiresAt: expires === "" ? null : new Date(`${expires}T23:59:59`).getTime(),
    workspace: workspace.trim() === "" ? null : workspace.trim(),
    ownerId: owner === "" ? null : owner,
    machines: machines.replaceAll(" ", "") || OWN_MACHINE,
  };
}

function toDay(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

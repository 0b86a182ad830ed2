import { Choices } from "@/ui/controls/choices.tsx";

export type Role = "viewer" | "operator" | "admin";

export const ROLE_WORDS: Record<Role, string> = {
  viewer: "Watches.",
  operator: "Approves, takes over, freezes.",
  admin: "Also changes the policy, agents and people.",
};

export function RolePicker({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  return (
    <>
      <Choices
        legend="Role"
        choices={(["viewer", "operator", "admin"] as const).map((role) => ({ value: role, label: role }))}
        value={value}
        onChange={onChange}
      />
      <p className="mt-1 text-xs text-muted">{ROLE_WORDS[value]}</p>
    </>
  );
}

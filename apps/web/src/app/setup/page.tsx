import { SetupForm } from "@/features/sign-in/setup-form.tsx";

export default function SetupPage() {
  return <SetupForm />;
}

import { Suspense } from "react";
import { SignInForm } from "@/features/sign-in/sign-in-form.tsx";

export default function SignInPage() {
  return (
    <Suspense>
      <SignInForm />
    </Suspense>
  );
}

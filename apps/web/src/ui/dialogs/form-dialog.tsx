import type { ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import { ErrorMessage } from "../states/error-message.tsx";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps {
  title: string;
  /** The label of the button that sends the form. */
  submitLabel: string;
  isPending: boolean;
  error: { message: string } | null;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** A dialog that asks for something, and says what went wrong. */
export function FormDialog({ title, submitLabel, isPending, error, onSubmit, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <ErrorMessage className="mt-3">{error?.message}</ErrorMessage>
        <div className="mt-5 flex flex-row-reverse gap-2">
          <Button type="submit" disabled={isPending}>
            {submitLabel}
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A dialog that shows the result, once. */
export function ResultDialog({
  title,
  wide = false,
  onClose,
  children,
}: Pick<FormDialogProps, "title" | "onClose" | "children"> & { wide?: boolean }) {
  return (
    <Dialog title={title} isOpen wide={wide} onClose={onClose}>
      {children}
      <div className="mt-5 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

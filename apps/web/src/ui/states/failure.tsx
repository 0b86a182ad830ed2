import { Button } from "../controls/button.tsx";

/** What went wrong, and what to do. */
export function Failure({ message, retry }: { message: string; retry?: () => void }) {
  return (
    <div role="alert" className="m-6 rounded-lg border border-line bg-raised p-5">
      <p className="text-sm text-danger">{message}</p>
      {retry && (
        <Button look="quiet" className="mt-4" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

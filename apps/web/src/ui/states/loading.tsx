export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="animate-pulse p-6 text-sm text-muted">
      Loading {what} …
    </p>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="animate-pulse p-8 text-sm text-muted">
      Loading {what} …
    </p>
  );
}

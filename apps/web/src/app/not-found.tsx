import { Card } from "@/ui/card.tsx";

export default function NotFound() {
  return (
    <Card title="Page not found">
      <p className="text-muted">The link may be old, or a terminal has closed.</p>
      <a href="/" className="mt-4 inline-block text-accent underline underline-offset-4">
        Back to terminals
      </a>
    </Card>
  );
}

"use client";

import type { AuditSearch } from "@belay/agent-gateway/router";
import { Download, FileJson, FileSpreadsheet } from "lucide-react";
import { Button } from "@/ui/controls/button.tsx";
import { Menu } from "@/ui/controls/menu.tsx";
import { exportAddress } from "../audit-query.ts";

/** Downloads exactly the query on the page as a file. Exports are recorded. */
export function ExportMenu({ filter }: { filter: AuditSearch }) {
  const download = (format: "csv" | "jsonl") => window.location.assign(exportAddress(filter, format));
  return (
    <Menu
      trigger={
        <Button look="quiet" size="small">
          <Download aria-hidden className="size-4" /> Export
        </Button>
      }
      header={<p className="max-w-56 text-muted">Every row that matches, oldest first. The export is on record.</p>}
      items={[
        { name: "CSV", icon: FileSpreadsheet, onSelect: () => download("csv") },
        { name: "JSON lines", icon: FileJson, onSelect: () => download("jsonl") },
      ]}
    />
  );
}

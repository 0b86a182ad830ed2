"use client";

import type { ApprovalSubject } from "@belay/protocol";
import { PlainText } from "../reading/plain-text.tsx";
import { ReadBox } from "../reading/read-box.tsx";
import { Part } from "./part.tsx";

/** The programs themselves, if the text wraps them in `bash -c`, `env`, a loop or a function. All of them, because the last one matters too. */
export function WhatRuns({ subject: { runs: lines, text } }: { subject: ApprovalSubject }) {
  if (lines.length === 0 || (lines.length === 1 && lines[0] === text.trim())) return null;
  return (
    <Part title={`What actually runs${lines.length > 1 ? ` (${lines.length} programs)` : ""}`}>
      <ReadBox label="What actually runs" className="max-h-[30dvh] overflow-y-auto">
        <ol className="grid gap-1">
          {lines.map((line, index) => (
            // Keyed by position, because the same program may run twice.
            <li key={index} className="font-mono text-xs leading-5 break-all whitespace-pre-wrap">
              <PlainText text={line} />
            </li>
          ))}
        </ol>
      </ReadBox>
    </Part>
  );
}

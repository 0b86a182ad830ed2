"use client";

import type { Approval, NamedFile } from "@belay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.ts";
import { PlainText } from "../reading/plain-text.tsx";
import { ReadBox } from "../reading/read-box.tsx";
import { useToRead } from "../reading/read-gate.tsx";
import { visibleText } from "./visible-text.ts";

/** The files whose content is approved together with the text. Scripts can be read here as they were when the question was asked. */
export function NamedFiles({ approval }: { approval: Approval }) {
  const code = approval.subject.files.filter(({ isCode }) => isCode);
  const data = approval.subject.files.filter(({ isCode }) => !isCode);
  return (
    <>
      <p className="mb-1.5 text-muted">If one of these changes before it runs, you are asked again.</p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {code.map((file, index) => (
          <li key={file.path}>
            <CodeFile approval={approval} file={file} isOpenAtFirst={index === 0} />
          </li>
        ))}
        {data.map(({ path, bytes }) => (
          <li key={path} className="font-mono text-xs leading-5 break-all">
            {visibleText(path)} <span className="text-muted">({bytes.toLocaleString("en")} bytes, only read)</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function CodeFile({
  approval,
  file: { path, bytes },
  isOpenAtFirst,
}: {
  approval: Approval;
  file: NamedFile;
  isOpenAtFirst: boolean;
}) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const content = useQuery(
    useTRPC().approvals.file.queryOptions({ id: approval.id, path }, { enabled: isOpen, staleTime: 0, retry: false }),
  );
  // Once the content is here, its box keeps the gate closed, even if it is folded away again.
  useToRead(content.data !== undefined || content.error !== null, () => setIsOpen(true));
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="cursor-pointer text-left font-mono text-xs leading-5 break-all underline-offset-4 hover:underline"
      >
        {isOpen ? "▾" : "▸"} {visibleText(path)}{" "}
        <span className="text-muted">({bytes.toLocaleString("en")} bytes)</span>
      </button>
      {isOpen && content.data?.hasChanged && (
        <p role="alert" className="text-danger">
          It has changed since you were asked. If you run it, you will be asked again about its new content.
        </p>
      )}
      {!isOpen && content.data === undefined && <p className="text-attention">Open it to read what would run.</p>}
      {content.data && (
        <div hidden={!isOpen}>
          <ReadBox
            label={`Content of ${visibleText(path)}`}
            until="end"
            className="mt-1 max-h-64 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
          >
            <PlainText text={content.data.text} />
            {!content.data.isWhole && "\n… only the beginning is shown."}
          </ReadBox>
        </div>
      )}
      {isOpen && content.data === null && <p className="text-danger">It cannot be read any more.</p>}
      {isOpen && content.error && <p className="text-muted">{content.error.message}</p>}
    </>
  );
}

import { formatBytes, formatNumber } from '../format.ts';
import { exportsTexts } from '../texts/exports.ts';
import { buttonClass } from './controls.tsx';
import { CopyButton } from './copy-button.tsx';

const words = exportsTexts;

/** The files of an export or a dataset; nothing while there are none. */
export function FileParts({
  parts,
}: {
  parts: readonly { path: string; rows: number; bytes: number; sha256: string }[];
}) {
  if (parts.length === 0) return null;
  return (
    <ul aria-label={words.parts} className="mt-3 space-y-2 border-t border-line pt-3">
      {parts.map((part, index) => (
        <li key={part.path} className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <a href={part.path} download className={buttonClass()}>
            {parts.length === 1 ? words.download : words.downloadPart(index + 1)}
          </a>
          {parts.length > 1 && (
            <span className="text-muted tabular-nums">
              {words.rows(formatNumber(part.rows))}, {formatBytes(part.bytes)}
            </span>
          )}
          <CopyButton look="quiet" text={part.sha256} label={words.copyChecksum} title={part.sha256} />
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { Panel } from '../../components/page.tsx';
import { adminTexts } from '../../texts/admin.ts';

/** A table of a panel; says when its part of the overview is empty or could not be read. */
export function Rows<T>({
  title,
  rows,
  empty,
  columns,
  hasActions = false,
  children,
}: {
  title: string;
  rows: readonly T[] | null;
  empty: string;
  columns: readonly string[];
  /** Whether the last column has buttons, which stay visible when a narrow screen cuts the table. */
  hasActions?: boolean;
  children: (row: T) => readonly ReactNode[];
}) {
  const kept = hasActions ? 'last:sticky last:right-0 last:bg-surface last:pl-2' : '';
  return (
    <Panel title={title}>
      {rows === null ? (
        <p className="text-sm text-bad">{adminTexts.overview.unavailable}</p>
      ) : rows.length === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={title}>
          <table className="w-full text-left text-sm">
            <thead className="text-[13px] text-muted">
              <tr className="border-b border-line">
                {columns.map((name) => (
                  <th key={name} className={`py-2 pr-4 font-medium whitespace-nowrap ${kept}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index} className="border-b border-line last:border-0">
                  {children(row).map((cell, column) => (
                    <td
                      key={column}
                      className={`py-2 pr-4 align-top whitespace-nowrap tabular-nums last:pr-0 ${kept}`}
                    >
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

import type { ReactNode } from 'react';
import { Card } from './card.tsx';

/** A column of a table; its classes are those of its cells too. */
export interface Column {
  name: string;
  className: string;
}

/** Padding of a cell. */
export const cell = 'px-3 py-2';

/** Records as rows, one a line. */
export function Table({
  columns,
  hasSelection,
  hasActions = false,
  className = '',
  children,
}: {
  columns: readonly Column[];
  /** Whether rows begin with a checkbox. */
  hasSelection: boolean;
  /** Whether rows end with buttons. */
  hasActions?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Card className={className}>
      <table className="w-full text-left text-[13px]">
        <thead className="text-muted">
          <tr className="border-b border-line">
            {hasSelection && <td />}
            {columns.map(({ name, className: classes }) => (
              <th key={name} scope="col" className={`${classes} font-medium`}>
                {name}
              </th>
            ))}
            {hasActions && <td />}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Card>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SearchState } from '../search/search-state.ts';

/** A forum or a keyword in a list by its number, which leads to what was found. */
export function Ranked({
  name,
  search,
  children,
}: {
  name: string;
  search: SearchState;
  children: ReactNode;
}) {
  return (
    <li className="flex justify-between gap-3 border-b border-line py-1.5 text-sm">
      <Link to="/search" search={search} className="min-w-0 text-accent [overflow-wrap:anywhere]">
        {name}
      </Link>
      <span className="flex shrink-0 gap-3 tabular-nums">{children}</span>
    </li>
  );
}

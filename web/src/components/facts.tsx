import type { ReactNode } from 'react';

/** Names and values in two columns; null values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Key figures, each in a box with its name. */
export function Figures({ figures }: { figures: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {figures.map(([label, value]) => (
        <div key={label} className="rounded-lg bg-raised px-3 py-2">
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums" data-counter={label}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

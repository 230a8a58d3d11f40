import { type ReactNode, useEffect, useRef } from 'react';

/** Fields of a form that are folded below their summary, and open when one of them is refused. */
export function More({
  title,
  summary,
  hasError = false,
  children,
}: {
  title: string;
  /** The values of the fields in words. */
  summary?: string;
  hasError?: boolean;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (hasError && details.current) details.current.open = true;
  }, [hasError]);
  return (
    <details ref={details} className="rounded-lg border border-line">
      <summary className="rounded-lg px-3 py-2 text-sm [overflow-wrap:anywhere] hover:bg-raised">
        <span className="font-medium">{title}</span>
        {summary !== undefined && <span className="ml-2 text-muted">{summary}</span>}
      </summary>
      <div className="border-t border-line p-3">{children}</div>
    </details>
  );
}

import { type ReactNode, useEffect } from 'react';
import { Card } from './card.tsx';
import { commonTexts } from '../texts/common.ts';

/** A page's frame: its title (in the browser's tab, and as heading unless the content has its own) and its actions. */
export function Page({
  title,
  hideTitle = false,
  hasOwnHeading = false,
  actions,
  children,
}: {
  title: string;
  hideTitle?: boolean;
  hasOwnHeading?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · ${commonTexts.product}`;
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-4 sm:px-6 sm:py-6">
      {!hasOwnHeading && (
        <div className={hideTitle ? 'sr-only' : 'mb-4 flex flex-wrap items-center justify-between gap-3'}>
          <h1 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
          {actions}
        </div>
      )}
      {children}
    </div>
  );
}

/** A titled part of a page. */
export function Panel({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Card as="section" aria-label={title} className="mb-4 p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-sm font-semibold">{title}</h2>
        {actions}
      </div>
      {children}
    </Card>
  );
}

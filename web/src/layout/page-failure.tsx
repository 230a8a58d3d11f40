import { Link, type ErrorComponentProps, useRouterState } from '@tanstack/react-router';
import { Button } from '../components/controls.tsx';
import { Page } from '../components/page.tsx';
import { texts } from '../texts.ts';

/** Replaces a page whose rendering failed. The way back leads to the same page, or to one that always exists. */
export function PageFailure({ reset }: ErrorComponentProps) {
  const isAdmin = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') });
  return (
    <Page title={texts.errors.pageFailed}>
      <p role="alert" className="text-muted">
        {texts.errors.pageFailedHint}
      </p>
      <div className="mt-4 flex items-center gap-4">
        <Button onClick={reset}>{texts.common.retry}</Button>
        <Link to={isAdmin ? '/admin/overview' : '/search'} className="text-accent underline">
          {isAdmin ? texts.admin.toOverview : texts.common.toSearch}
        </Link>
      </div>
    </Page>
  );
}

import { Link, type ErrorComponentProps, useRouterState } from '@tanstack/react-router';
import { Button } from '../components/controls.tsx';
import { Page } from '../components/page.tsx';
import { adminTexts } from '../texts/admin.ts';
import { commonTexts } from '../texts/common.ts';
import { errorsTexts } from '../texts/errors.ts';

/** Replaces a page whose rendering failed. The way back leads to the same page, or to one that always exists. */
export function PageFailure({ reset }: ErrorComponentProps) {
  const isAdmin = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') });
  return (
    <Page title={errorsTexts.pageFailed}>
      <p role="alert" className="text-muted">
        {errorsTexts.pageFailedHint}
      </p>
      <div className="mt-4 flex items-center gap-4">
        <Button onClick={reset}>{commonTexts.retry}</Button>
        <Link to={isAdmin ? '/admin/overview' : '/search'} className="text-accent underline">
          {isAdmin ? adminTexts.toOverview : commonTexts.toSearch}
        </Link>
      </div>
    </Page>
  );
}

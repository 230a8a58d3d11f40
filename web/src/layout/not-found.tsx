import { Link, useRouterState } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Page } from '../components/page.tsx';

/** Links back to the pages of a workspace or of operators, depending on the address. */
export function NotFound() {
  const isAdmin = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') });
  return (
    <Page title={texts.common.notFound}>
      <Link to={isAdmin ? '/admin/overview' : '/search'} className="text-accent underline">
        {isAdmin ? texts.admin.toOverview : texts.common.toSearch}
      </Link>
    </Page>
  );
}

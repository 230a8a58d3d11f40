import { Link, useRouterState } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Page } from '../components/page.tsx';

/** Leads back to the pages that the address belongs to: those of a workspace, or of operators. */
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

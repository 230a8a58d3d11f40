import { Link, useRouterState } from '@tanstack/react-router';
import { adminTexts } from '../texts/admin.ts';
import { commonTexts } from '../texts/common.ts';
import { Page } from '../components/page.tsx';

/** Links back to the pages of a workspace or of operators, depending on the address. */
export function NotFound() {
  const isAdmin = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') });
  return (
    <Page title={commonTexts.notFound}>
      <Link to={isAdmin ? '/admin/overview' : '/search'} className="text-accent underline">
        {isAdmin ? adminTexts.toOverview : commonTexts.toSearch}
      </Link>
    </Page>
  );
}

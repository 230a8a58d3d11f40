import { Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Page } from '../components/page.tsx';

export function NotFound() {
  return (
    <Page title={texts.common.notFound}>
      <Link to="/search" className="text-accent underline">
        {texts.common.toSearch}
      </Link>
    </Page>
  );
}

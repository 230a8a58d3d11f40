// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/page.tsx';
import { answer } from '../../testing/service.ts';
import { SearchPage } from './search-page.tsx';

it('awaits no counts beside the failure of its results', async () => {
  answer('GET /posts', () => [503, { code: 'unavailable', detail: 'Postgres is away' }]);
  await show(<SearchPage />, 'read', '/search?q=battery');
  await screen.findByText(/Postgres is away/);
  expect(document.querySelector('.animate-pulse')).toBeNull();
});

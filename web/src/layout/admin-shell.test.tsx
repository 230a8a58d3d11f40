// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../testing/page.tsx';
import { answer } from '../testing/service.ts';
import AdminShell from './admin-shell.tsx';

it('leads operators back to the workspace, and lets them choose the theme', async () => {
  answer('GET /session/oidc', () => [200, { issuer: 'https://id.example', name: 'Accounts' }]);
  answer('GET /admin/session', () => [200, { operator: 'ann@example.com' }]);
  await show(<AdminShell />, 'admin', '/admin/overview');
  const back = await screen.findByRole('link', { name: 'To the workspace' });
  expect(back.getAttribute('href')).toBe('/');
  screen.getByRole('combobox', { name: 'Theme' });
});

// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { answer, sent } from '../testing/service.ts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import AdminShell from '../layout/admin-shell.tsx';
import { router } from '../router.tsx';
import { signInTexts } from '../texts/sign-in.ts';
import { SignIn } from './sign-in.tsx';

describe('signing in with an account', () => {
  const withProvider = () => answer('GET /session/oidc', () => [200, { issuer: 'https://id.example' }]);

  it.each(Object.entries(signInTexts.problems))('says why it failed: %s', async (problem, text) => {
    withProvider();
    history.replaceState(null, '', `/?problem=${problem}`);
    await router.load();
    // The router writes the address anew, without parameters that the page does not know.
    expect(router.buildLocation({ to: '/', search: true }).search).toEqual({ problem });
    await show(<SignIn />);
    expect((await screen.findByRole('alert')).textContent).toBe(text);
  });

  it('opens the pages of operators for an operator', async () => {
    withProvider();
    answer('GET /admin/session', () => [200, { expires_at: null }]);
    await show(<AdminShell />);
    await screen.findByText('Operators');
  });

  it('is offered to operators, who are asked for no session where none can be', async () => {
    withProvider();
    answer('GET /admin/session', () => [401, { code: 'missing_admin_token', detail: '' }]);
    await show(<AdminShell />);
    await screen.findByRole('link', { name: 'Sign in with your account' });
  });

  it('is not awaited where there is no provider', async () => {
    answer('GET /session/oidc', () => [200, { issuer: null }]);
    await show(<AdminShell />);
    await screen.findByLabelText('Admin token');
    expect(sent.map(({ operation }) => operation)).not.toContain('GET /admin/session');
  });
});

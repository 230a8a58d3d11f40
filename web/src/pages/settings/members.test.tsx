// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Members } from './members.tsx';

const ana = { id: 'member_1', email: 'ana@b.org', role: 'reader', last_seen_at: null };

describe('the members in Settings', () => {
  it.each([
    [null, 'ana@b.org may sign in now, and gets an email.'],
    [
      'the operator has not set SMTP_URL',
      'ana@b.org may sign in now, but gets no email: the operator has not set SMTP_URL. Send them the link.',
    ],
  ])('say whether an invitation was sent: %s', async (invitation_refusal, text) => {
    answer('GET /session/oidc', () => [200, { issuer: 'https://id.example' }]);
    answer('GET /members', () => [200, sent.some(({ body }) => body) ? [ana] : []]);
    answer('POST /members', () => [201, { ...ana, invitation_refusal }]);
    const user = await show(<Members />);
    await user.type(await screen.findByLabelText('Email address'), 'ana@b.org{Enter}');
    expect((await screen.findByRole('status')).textContent).toBe(text);
    await screen.findByText('Invited, has not signed in yet');
    const copy = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(screen.getByRole('button', { name: 'Copy the link for ana@b.org' }));
    expect(copy).toHaveBeenCalledWith(`${location.origin}/api/v1/session/oidc/begin?return_to=%2F`);
  });

  it('have no link where nobody can sign in with an account', async () => {
    answer('GET /session/oidc', () => [200, { issuer: null }]);
    answer('GET /members', () => [200, [ana]]);
    await show(<Members />);
    await screen.findByText(/the service has no identity provider/);
    expect(screen.queryByRole('button', { name: /link for/ })).toBe(null);
  });
});

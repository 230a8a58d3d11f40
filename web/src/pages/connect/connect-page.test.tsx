// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../api/session.ts';
import { ConnectPage } from './connect-page.tsx';
import { CLIENTS, snippetOf } from './snippets.ts';

const key = (name: string, last_used_at: string | null, is_active = true) => ({
  id: name,
  name,
  key_prefix: 'rp_abc',
  scopes: ['read'],
  is_active,
  last_used_at,
  created_at: '2026-11-01T00:00:00.000Z',
});

async function page(scope: Scope = 'admin') {
  answer('GET /api-keys', () => [
    200,
    [key('Nightly', null), key('Assistant', new Date().toJSON()), key('Gone', null, false)],
  ]);
  const user = await show(<ConnectPage />, scope, '/connect');
  await screen.findByText('Nightly');
  return user;
}

describe('how to connect', () => {
  it('shows the addresses, and the last call of each valid key', async () => {
    await page();
    screen.getByText(`${location.origin}/mcp`);
    expect(screen.getByText('Nightly').closest('tr')?.textContent).toContain('never');
    expect(screen.getByText('Assistant').closest('tr')?.textContent).not.toContain('never');
    expect(screen.queryByText('Gone')).toBe(null);
  });

  it('shows what to enter for the chosen client', async () => {
    const user = await page();
    expect(screen.getByLabelText('Claude Code').textContent).toMatch(/^claude mcp add/);
    await user.click(screen.getByRole('button', { name: 'Python' }));
    expect(screen.getByLabelText('Python').textContent).toContain('"YOUR_KEY"');
  });

  it('makes a key in place', async () => {
    answer('POST /api-keys', () => [201, { ...key('New', null), key: 'rp_secret' }]);
    const user = await page();
    await user.click(screen.getByRole('button', { name: 'Create a key' }));
    await user.type(screen.getByLabelText('Name'), 'New');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('The new API key').value).toBe('rp_secret'),
    );
    expect(sent.find(({ operation }) => operation === 'POST /api-keys')?.body).toMatchObject({
      scopes: ['read'],
    });
  });

  it('offers no key to those who may not make one', async () => {
    await page('write');
    expect(screen.queryByRole('button', { name: 'Create a key' })).toBe(null);
  });
});

it.each(CLIENTS)('the text for %s has the address and the key', (client) => {
  const text = snippetOf(client, { base: 'https://e.org', workspaceId: 'ws1', key: 'rp_x' });
  expect(text).toContain('https://e.org');
  expect(text).toContain('rp_x');
});

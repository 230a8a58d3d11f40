// @vitest-environment happy-dom
import { Opening, show } from '../testing/page.tsx';
import { answer } from '../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../api/session.ts';
import CommandPalette from './command-palette.tsx';

describe('the commands', () => {
  async function palette(scope?: Scope) {
    const user = await show(<Opening>{(onClose) => <CommandPalette onClose={onClose} />}</Opening>, scope);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    const field = screen.getByRole('combobox');
    await waitFor(() => expect(document.activeElement).toBe(field));
    return { user, field };
  }
  const names = (): (string | null)[] => screen.getAllByRole('option').map(({ textContent }) => textContent);
  const chosen = (): (string | null)[] =>
    screen.getAllByRole('option', { selected: true }).map(({ textContent }) => textContent);

  it('are chosen with the arrow keys, which stop at both ends', async () => {
    const { user, field } = await palette();
    const all = names();
    await user.keyboard('{ArrowUp}');
    expect(chosen()).toEqual([all[0]]);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(chosen()).toEqual([all[2]]);
    const active = screen.getByRole('option', { selected: true });
    expect(field.getAttribute('aria-activedescendant')).toBe(active.id);
    await user.keyboard(`{ArrowDown>${all.length}/}`);
    expect(chosen()).toEqual([all.at(-1)]);
  });

  it('are found by a part of their names, and close the dialog when they run', async () => {
    const { user } = await palette();
    await user.paste('WEBHOOK');
    expect(names().slice(0, 2)).toEqual(['Create a webhook', 'Go to Webhooks']);
    expect(names()).toContain('Search for “WEBHOOK”');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  });

  it('are those that the session allows', async () => {
    await palette('read');
    expect(names().filter((name) => name?.startsWith('Create'))).toEqual([]);
  });

  it('stay where they are when the posts of a search arrive', async () => {
    answer('GET /posts', () => [
      200,
      { posts: [{ id: 't3_1', title: 'A found post' }], total: 1, has_more: false },
    ]);
    const { user } = await palette();
    await user.paste('jobs');
    const before = names();
    await waitFor(() => expect(names()).toHaveLength(before.length + 1));
    expect(names().slice(0, -1)).toEqual(before);
  });
});

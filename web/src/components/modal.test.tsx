// @vitest-environment happy-dom
import { Opening, show } from '../testing/page.tsx';
import { answer } from '../testing/service.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { type ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import SearchFeed from '../pages/search/search-feed.tsx';
import { KeyOnce } from './secret-once.tsx';

type Dialog = (onClose: () => void) => ReactElement;
const SECRETS: readonly [name: string, open: string[], dialog: Dialog, field: string][] = [
  ['a key', [], (onClose) => <KeyOnce value="wss_new" onClose={onClose} />, 'The new API key'],
  [
    'a feed',
    ['Create addresses'],
    (onClose) => <SearchFeed search={{ id: 's1', name: 'Batteries' } as never} onClose={onClose} />,
    'Atom address',
  ],
];

describe('a dialog that shows a secret once', () => {
  async function opened(dialog: Dialog, steps: readonly string[], field: string) {
    const addresses = {
      atom_url: 'https://e.org/a',
      rss_url: 'https://e.org/r',
      json_url: 'https://e.org/j',
    };
    answer('POST /searches/s1/feed', () => [201, addresses]);
    const user = await show(<Opening>{dialog}</Opening>);
    for (const name of ['Open', ...steps]) await user.click(await screen.findByRole('button', { name }));
    return { user, field: await screen.findByLabelText(field) };
  }
  const isClosed = (): Promise<void> => waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));

  it.each(SECRETS)('keeps %s at Escape, until it was copied', async (_name, steps, dialog, label) => {
    const { user, field } = await opened(dialog, steps, label);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('alert').textContent).toContain('not copied yet');
    fireEvent.copy(field);
    expect(screen.queryByRole('alert')).toBe(null);
    await user.keyboard('{Escape}');
    await isClosed();
  });

  it.each(SECRETS)(
    'closes that of %s by Done or after the button Copy',
    async (_name, steps, dialog, label) => {
      const { user } = await opened(dialog, steps, label);
      await user.click(screen.getByRole('button', { name: 'Done' }));
      await isClosed();
      await user.click(screen.getByRole('button', { name: 'Open' }));
      for (const name of steps) await user.click(await screen.findByRole('button', { name }));
      await user.click((await screen.findAllByRole('button', { name: 'Copy' }))[0]!);
      await screen.findByText('Copied');
      await user.keyboard('{Escape}');
      await isClosed();
    },
  );
});

it('no other part of the dashboard shows a secret for copying only', async () => {
  const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true });
  const showing = Object.entries(sources).filter(
    ([path, text]) => !path.endsWith('.test.tsx') && /<input\s+readOnly/.test(text),
  );
  expect(showing.filter(([, text]) => !/\bonce=/.test(text)).map(([path]) => path)).toEqual([]);
});

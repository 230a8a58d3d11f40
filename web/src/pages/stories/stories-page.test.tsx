// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { StoriesPage } from './stories-page.tsx';
import { readStoriesState } from './stories-state.ts';

const story = {
  id: 'st_1',
  title: 'The <b>recall</b> of a power bank',
  size: 12,
  first_at: '2026-11-01T00:00:00.000Z',
  last_at: '2026-11-02T00:00:00.000Z',
  sources: ['hackernews', 'reddit'],
  forums: [],
  growth: 3,
  keywords: ['recall', 'bank'],
  posts: [],
};

async function page(stories: object[], more: object = {}) {
  answer('GET /alerts', () => [200, []]);
  answer('GET /stories', () => [200, { stories, left_out: 0, cursor: '', has_more: false, ...more }]);
  return show(<StoriesPage />, 'read', '/stories');
}

describe('the stories', () => {
  it('show their size, growth and sources, and open to their posts', async () => {
    const post = { id: 't3_1', title: 'First report', selftext: '', forum: 'energy', author: 'ana' };
    const comment = { comment_id: 't1_1', post_id: 't3_1', body: 'It burnt', author: 'bo' };
    const created_utc = '2026-11-01T00:00:00.000Z';
    answer('GET /stories/st_1/posts', () => [
      200,
      {
        posts: [{ ...post, created_utc }],
        comments: [{ ...comment, created_utc }],
        cursor: '',
        has_more: false,
      },
    ]);
    const user = await page([story], { left_out: 1200 });
    for (const text of ['12', '+3', 'Hacker News, Reddit', 'About recall, bank'])
      await screen.findByText(text);
    await screen.findByText('1,200 older texts were not read; the newest 10,000 were.');
    expect(sent.some(({ operation }) => operation.endsWith('/posts'))).toBe(false);
    const title = screen.getByRole('button', { name: story.title });
    await user.click(title);
    expect((await screen.findByRole('link', { name: 'First report' })).getAttribute('href')).toBe(
      '/posts/t3_1',
    );
    expect(screen.getByRole('link', { name: 'It burnt' }).getAttribute('href')).toBe('/posts/t3_1#t1_1');
    await user.click(title);
    await waitFor(() => expect(screen.queryByText('First report')).toBe(null));
  });

  it('say why there is none', async () => {
    await page([]);
    await screen.findByText('No stories here.');
  });

  it('read the valid parts of their address', () => {
    expect(readStoriesState({ alert: 'al_1', q: '', scope: 'all', other: 'x' })).toEqual({
      alert: 'al_1',
      scope: 'all',
    });
    expect(readStoriesState({ scope: 'posts' })).toEqual({});
  });
});

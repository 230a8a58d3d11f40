// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { StoriesPage } from './stories-page.tsx';
import { StoryPage } from './story-page.tsx';
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
  return show(<StoriesPage />, 'read', '/stories?alert=al_1');
}

describe('the stories', () => {
  it('show their size, growth and sources, and lead to their pages', async () => {
    await page([story], { left_out: 1200 });
    for (const text of ['12', '+3', 'Hacker News, Reddit', 'About recall, bank'])
      await screen.findByText(text);
    await screen.findByText('1,200 older texts were not read; the newest 10,000 were.');
    expect(screen.getByRole('link', { name: story.title }).getAttribute('href')).toBe(
      '/stories/st_1?alert=al_1',
    );
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

describe('the page of a story', () => {
  const post = { id: 't3_1', title: 'First report', selftext: '', forum: 'energy', author: 'ana' };
  const comment = { comment_id: 't1_1', post_id: 't3_1', body: 'It burnt', author: 'bo' };
  const created_utc = '2026-11-01T00:00:00.000Z';

  async function storyPage(stories: object[], posts: object[] = [{ ...post, created_utc }]) {
    const comments = posts.length === 0 ? [] : [{ ...comment, created_utc }];
    answer('GET /stories', () => [200, { stories, left_out: 0, cursor: '', has_more: false }]);
    answer('GET /stories/st_1/posts', () => [200, { posts, comments, cursor: '', has_more: false }]);
    await show(<StoryPage />, 'read', '/stories/st_1?alert=al_1&scope=all', '/stories/$storyId');
  }

  it('has the figures of its list, and links to all of its posts and comments', async () => {
    await storyPage([{ ...story, id: 'st_0' }, story]);
    await screen.findByRole('heading', { name: story.title });
    for (const text of ['12', '+3', 'Hacker News, Reddit', 'recall, bank']) await screen.findByText(text);
    const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(link('First report')).toBe('/posts/t3_1');
    expect(link('It burnt')).toBe('/posts/t3_1#t1_1');
    expect(link('All stories')).toBe('/stories?alert=al_1&scope=all');
    expect(sent.find(({ operation }) => operation === 'GET /stories')?.query).toBe('?alert_id=al_1&of=all');
  });

  it('shows the texts of a story that is in no list any more', async () => {
    await storyPage([]);
    await screen.findByRole('heading', { name: 'First report' });
    await screen.findByText(/its figures are not known/);
    await screen.findByRole('link', { name: 'It burnt' });
  });

  it('says that nothing is stored of it', async () => {
    await storyPage([], []);
    await screen.findByText(/nothing of it is stored/);
  });
});

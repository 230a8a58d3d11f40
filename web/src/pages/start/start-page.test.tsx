// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { StartPage } from './start-page.tsx';

const job = {
  id: 'job_1',
  target: 'hn:search/solar roof',
  status: 'running',
  posts_scraped: 1,
  comments_scraped: 0,
  media_downloaded: 0,
  progress: {},
};
const post = {
  ...{ id: 'hn_1', title: 'Solar roofs', selftext: '', author: 'ann', forum: 'hn:story', score: 1 },
  ...{ permalink: 'https://news.ycombinator.com/item?id=1', url: null, num_comments: 0, keywords: [] },
  ...{ created_utc: '2026-11-01T00:00:00.000Z', sentiment_label: 'neutral', sentiment_score: 0, flair: '' },
};

const suggestions = {
  queries: [
    { q: '"solar roof" OR =solarroof', listen: ['bluesky'], why: 'All spellings.', matches: 0 },
    { q: 'solar roof', listen: [], why: 'Both words, anywhere.', matches: 3 },
  ],
  places: [{ target: 'discourse:meta.example.org', why: '2 stored posts match.' }],
};
const sources = [
  { name: 'Reddit', targets: [{ example: 'technology', target_type: 'forum', description: 'posts' }] },
  { name: 'Synthetic', targets: [{ example: 'technology', target_type: 'forum', description: 'invented' }] },
  {
    name: 'Feeds',
    targets: [{ example: 'feed:https://a.example/f', target_type: 'forum', description: 'f' }],
  },
];

async function firstSteps() {
  answer('GET /usage', () => [200, { storage: { posts: 0 } }]);
  answer('GET /sources', () => [200, { sources }]);
  answer('POST /queries/suggest', () => [200, suggestions]);
  answer('POST /alerts', () => [201, { id: 'alert_1' }]);
  answer('POST /jobs', () => [201, job]);
  answer('GET /jobs/job_1', () => [200, job]);
  answer('GET /jobs/job_1/posts', () => [200, { posts: [post], total: 1, has_more: false }]);
  const user = await show(<StartPage />);
  await screen.findByText('A word, anywhere');
  return user;
}
const bodies = (wanted: string) =>
  sent.filter(({ operation }) => operation === wanted).map(({ body }) => body);

describe('the first steps', () => {
  it('listen for a word with the chosen query, and show posts while the job runs', async () => {
    const user = await firstSteps();
    await user.type(screen.getByLabelText('Word, name or sentence'), 'solar roof{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Listen' }));
    await screen.findByText('Solar roofs');
    expect(bodies('POST /alerts')).toEqual([
      {
        name: 'solar roof',
        query: '"solar roof" OR =solarroof',
        keywords: [],
        of: 'all',
        listen: ['bluesky'],
      },
    ]);
    expect(bodies('POST /jobs')).toMatchObject([{ target: 'hn:search/solar roof' }]);
    screen.getByRole('link', { name: 'See the mentions' });
  });

  it('do not listen for a query that finds too much', async () => {
    const user = await firstSteps();
    await user.type(screen.getByLabelText('Word, name or sentence'), 'solar roof{Enter}');
    await user.click(await screen.findByLabelText(/Both words, anywhere.*3 stored mentions/));
    await user.click(screen.getByRole('button', { name: 'Listen' }));
    await screen.findByText('Solar roofs');
    expect(bodies('POST /alerts')).toEqual([
      { name: 'solar roof', query: 'solar roof', keywords: [], of: 'all' },
    ]);
  });

  it('say what to change about a text of function words, and forget queries of another word', async () => {
    const user = await firstSteps();
    const field = screen.getByLabelText('Word, name or sentence');
    await user.type(field, 'solar roof{Enter}');
    await screen.findByRole('button', { name: 'Listen' });
    answer('POST /queries/suggest', () => [200, { queries: [], places: [] }]);
    await user.clear(field);
    expect(screen.queryByRole('button', { name: 'Listen' })).toBeNull();
    await user.type(field, 'the{Enter}');
    await screen.findByText(/only words that every text has/);
  });

  it('begin with a place where it is talked about, or with the example of a source', async () => {
    const user = await firstSteps();
    const place = screen.getByLabelText<HTMLInputElement>('Forum or user name');
    await user.type(screen.getByLabelText('Word, name or sentence'), 'solar roof{Enter}');
    await user.click(await screen.findByRole('button', { name: 'discourse:meta.example.org' }));
    expect(place.value).toBe('discourse:meta.example.org');
    expect(screen.queryByText('Reddit')).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Feeds/ }));
    expect(place.value).toBe('feed:https://a.example/f');
  });

  it('take the pasted address of a page of any source', async () => {
    answer('POST /sources/resolve', () => [
      200,
      { name: 'ann', source: 'mastodon', target: 'mastodon:ann@s.example', target_type: 'user' },
    ]);
    const user = await firstSteps();
    const field = screen.getByLabelText<HTMLInputElement>('Forum or user name');
    await user.type(field, 'https://s.example/@ann');
    await waitFor(() => expect(field.value).toBe('mastodon:ann@s.example'));
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await screen.findByText('Solar roofs');
    expect(bodies('POST /jobs')).toMatchObject([{ target: 'mastodon:ann@s.example', target_type: 'user' }]);
  });
});

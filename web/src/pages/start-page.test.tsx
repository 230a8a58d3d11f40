// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { answer, sent } from '../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { StartPage } from './start-page.tsx';

const job = {
  id: 'job_1',
  target: 'hn:top',
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

async function firstSteps() {
  answer('GET /usage', () => [200, { storage: { posts: 0 } }]);
  answer('GET /sources', () => [200, { sources: [] }]);
  answer('POST /jobs', () => [201, job]);
  answer('GET /jobs/job_1', () => [200, job]);
  answer('GET /jobs/job_1/posts', () => [200, { posts: [post], total: 1, has_more: false }]);
  const user = await show(<StartPage />);
  await screen.findByText('Hacker News front page');
  return user;
}
const started = () => sent.filter(({ operation }) => operation === 'POST /jobs').map(({ body }) => body);

describe('the first steps', () => {
  it('begin with a source that needs no credentials, and show posts while the job runs', async () => {
    const user = await firstSteps();
    await user.click(screen.getAllByRole('button', { name: /Start$/ })[0]!);
    await screen.findByText('Solar roofs');
    screen.getByText('Collecting hn:top');
    expect(started()).toMatchObject([{ target: 'hn:top' }]);
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
    expect(started()).toMatchObject([{ target: 'mastodon:ann@s.example', target_type: 'user' }]);
  });
});

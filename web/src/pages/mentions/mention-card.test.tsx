// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { show } from '../../testing/page.tsx';
import { answer } from '../../testing/service.ts';
import { MentionCard } from './mention-card.tsx';

const FOUND = '2026-11-03T00:00:00.000Z';
const WRITTEN = '2026-11-02T00:00:00.000Z';
const MATCH = {
  ...{ id: 'match_1', alert_id: 'al_1', matched_at: FOUND, keywords: ['battery'], state: 'new', labels: [] },
  ...{ note: '', relevance: null, reasons: null, duplicates: 0 },
  post: {
    ...{ id: 't3_1', title: 'Solar roofs', selftext: '', forum: 'energy', author: 'ana', permalink: '/x' },
    ...{ created_utc: WRITTEN, score: 1, sentiment_label: 'neutral', sentiment_score: 0 },
  },
} as never;

it('says when it was found, the order of the inbox, and then when it was written', async () => {
  answer('GET /alerts', () => [200, []]);
  const card = {
    match: MATCH,
    isActive: false,
    isSelected: null,
    mayWrite: false,
    onAction: () => undefined,
  };
  await show(<MentionCard {...card} />, 'read');
  const times = [...document.querySelectorAll('time')].map((time) => [
    time.parentElement!.textContent.split(' ')[0],
    time.dateTime,
  ]);
  expect(times).toEqual([
    ['found', FOUND],
    ['written', WRITTEN],
  ]);
});

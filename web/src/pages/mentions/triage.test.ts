import { expect, it } from 'vitest';
import type { Match, MatchPage } from '../../api/matches.ts';
import { applyChange, inverseOf } from './triage.ts';

const match = (id: string, fields: Partial<Match> = {}): Match => ({
  id,
  alert_id: 'alert_1',
  matched_at: '2026-11-27T10:00:00Z',
  state: 'new',
  labels: [],
  note: '',
  duplicates: 0,
  keywords: [],
  relevance: null,
  reasons: null,
  ...fields,
});
const page = (matches: Match[]): MatchPage => ({
  matches,
  total: 3,
  counts: { new: 3, seen: 0, kept: 0, dismissed: 0 },
  cursor: '',
  has_more: false,
});
const pages = { pages: [page([match('a'), match('b')]), page([match('c')])], pageParams: ['', 'x'] };

it('changes the chosen mentions of all pages, and the counts', () => {
  const { pages: after } = applyChange(pages, { ids: ['a', 'c'], state: 'kept', add_labels: ['later'] });
  expect(after.flatMap(({ matches }) => matches).map(({ state, labels }) => [state, labels])).toEqual([
    ['kept', ['later']],
    ['new', []],
    ['kept', ['later']],
  ]);
  expect(after[1]!.counts).toEqual({ new: 1, seen: 0, kept: 2, dismissed: 0 });
});

it('takes a change of several states back by state', () => {
  const matches = [match('a'), match('b', { state: 'kept' }), match('c')];
  expect(inverseOf({ ids: ['a', 'b', 'c'], state: 'seen' }, matches)).toEqual([
    { ids: ['a', 'c'], state: 'new' },
    { ids: ['b'], state: 'kept' },
  ]);
});

it('keeps labels that a mention had before', () => {
  const matches = [match('a', { labels: ['later'] }), match('b')];
  expect(inverseOf({ ids: ['a', 'b'], add_labels: ['later'] }, matches)).toEqual([
    { ids: ['a'] },
    { ids: ['b'], remove_labels: ['later'] },
  ]);
});

import { expect, it } from 'vitest';
import { findEntries, groupEntries, type LogEntry } from './log-groups.ts';

const entry = (event: string, level: LogEntry['level'] = 'info'): LogEntry => ({
  at: '2026-11-27T10:00:00Z',
  level,
  event,
  message: event,
  details: {},
});

it('shows retries that follow each other as one line, and everything else by itself', () => {
  const events = [
    'execution_started',
    'request_repeated',
    'request_repeated',
    'posts_stored',
    'posts_stored',
  ];
  const groups = groupEntries(events.map((event) => entry(event)));
  expect(groups.map((group) => group.length)).toEqual([1, 2, 1, 1]);
});

it('shows equal warnings that follow each other as one line', () => {
  const entries = [entry('missing', 'warn'), entry('missing', 'warn'), entry('other', 'warn')];
  expect(groupEntries(entries).map((group) => group.length)).toEqual([2, 1]);
});

it('finds entries by a part of their text in any case, and warnings', () => {
  const entries = [entry('Posts stored'), entry('posts missing', 'warn'), entry('ended', 'warn')];
  const found = (text: string, onlyWarnings: boolean) =>
    findEntries(entries, text, onlyWarnings).map(({ message }) => message);
  expect(found(' POSTS ', false)).toEqual(['Posts stored', 'posts missing']);
  expect(found('posts', true)).toEqual(['posts missing']);
  expect(found('', true)).toEqual(['posts missing', 'ended']);
});

import { expect, it } from 'vitest';
import { groupEntries, type LogEntry } from './log-groups.ts';

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

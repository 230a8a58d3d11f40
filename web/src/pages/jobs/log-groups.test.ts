import { expect, it } from 'vitest';
import { groupRetries, type LogEntry } from './log-groups.ts';

const entry = (event: string): LogEntry => ({
  at: '2026-11-27T10:00:00Z',
  level: 'info',
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
  expect(groupRetries(events.map(entry)).map((group) => group.length)).toEqual([1, 2, 1, 1]);
});

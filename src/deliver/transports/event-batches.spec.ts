import { jest } from '@jest/globals';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { EventBatches } from './event-batches.js';
import type { OutgoingEvent } from './transport.js';

const DELIVERED: DeliveryOutcome = { ok: true, responseCode: 200, durationMs: 1 };

const event = (body: string, changes: Partial<OutgoingEvent> = {}): OutgoingEvent => ({
  destination: 'one',
  url: 's3://k@store.example/events',
  secrets: [],
  id: body,
  body,
  mediaType: 'application/json',
  type: 'job.completed',
  signal: new AbortController().signal,
  ...changes,
});

describe('batches of events', () => {
  let sent: string[][];
  let batches: EventBatches;

  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    batches = new EventBatches(16, (events) => {
      sent.push(events.map(({ body }) => body));
      return Promise.resolve({ ...DELIVERED, durationMs: sent.length });
    });
  });
  afterEach(() => void jest.useRealTimers());

  it('hold what is handed over within a second, and give each its outcome', async () => {
    const first = batches.send(event('a'));
    await jest.advanceTimersByTimeAsync(999);
    const second = batches.send(event('b'));
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    const third = batches.send(event('c'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([['a', 'b'], ['c']]);
    const outcomes = await Promise.all([first, second, third]);
    expect(outcomes.map(({ durationMs }) => durationMs)).toEqual([1, 1, 2]);
  });

  it('are sent at once when they are full', async () => {
    const names = Array.from({ length: 17 }, (_, number) => `${number}`);
    for (const name of names) void batches.send(event(name));
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([names.slice(0, 16)]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never hold events of two webhooks or addresses', async () => {
    void batches.send(event('a'));
    void batches.send(event('b', { destination: 'other' }));
    void batches.send(event('c', { url: 's3://k@store.example/others' }));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([['a'], ['b'], ['c']]);
  });
});

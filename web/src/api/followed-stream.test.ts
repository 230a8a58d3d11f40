import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/errors.ts';
import { followStream, reopenPause } from './followed-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bodyOf = (text: string): ReadableStream<Uint8Array> => new Response(text).body!;

it('opens a stream again after pauses from five seconds to a minute', () => {
  expect([0, 1, 2, 3, 4, 40].map(reopenPause)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

it('continues an interrupted stream after its last event, and ends with a final refusal', async () => {
  const opened: (string | undefined)[] = [];
  const events: string[] = [];
  let lost = 0;
  const followed = followStream(
    {
      lastEventId: undefined,
      open: async (lastEventId) => {
        opened.push(lastEventId);
        if (opened.length === 1) return bodyOf('id: 1\ndata: a\n\nid: 2\ndata: b\n\n');
        if (opened.length === 2) throw new TypeError('network');
        throw new ApiError(404, 'search_not_found', 'Not found', null, null);
      },
      onEvent: ({ data }) => void events.push(data),
      onLost: () => void (lost += 1),
    },
    new AbortController().signal,
  );
  await vi.advanceTimersByTimeAsync(4_999);
  expect(opened).toEqual([undefined]);
  await vi.advanceTimersByTimeAsync(15_001);
  await followed;
  expect(opened).toEqual([undefined, '2', '2']);
  expect(events).toEqual(['a', 'b']);
  expect(lost).toBe(3);
});

it('takes a stream without an event for 45 seconds as interrupted', async () => {
  const end = new AbortController();
  let opened = 0;
  const followed = followStream(
    {
      lastEventId: undefined,
      open: async (_lastEventId, signal) => {
        opened += 1;
        return new ReadableStream({
          start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
        });
      },
      onEvent: () => undefined,
    },
    end.signal,
  );
  await vi.advanceTimersByTimeAsync(49_999);
  expect(opened).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(opened).toBe(2);
  end.abort();
  await followed;
});

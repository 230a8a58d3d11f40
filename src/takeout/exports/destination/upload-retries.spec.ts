import { retryWait } from './upload-retries.js';

const failed = (responseCode: number | null, more: object = {}) => ({
  ...{ ok: false, responseCode, durationMs: 1 },
  ...more,
});

describe('the wait before a file is sent again', () => {
  it.each([null, 408, 429, 500, 503])(
    'grows after each failure by %j, of which five are the last',
    (code) => {
      const waits = [1, 2, 3, 4, 5].map((failures) => retryWait(failed(code), failures));
      expect(waits).toEqual([1_000, 10_000, 60_000, 300_000, null]);
    },
  );

  it.each([301, 400, 403, 404])('is none after %j', (code) => {
    expect(retryWait(failed(code), 1)).toBeNull();
  });

  it('is none when nothing could be sent', () => {
    expect(retryWait(failed(null, { permanent: true }), 1)).toBeNull();
  });

  it('is as long as the store asks for, up to five minutes', () => {
    const after = (retryAfterMs: number) => retryWait(failed(503, { retryAfterMs }), 1);
    expect([after(10), after(20_000), after(3_600_000)]).toEqual([1_000, 20_000, 300_000]);
  });
});

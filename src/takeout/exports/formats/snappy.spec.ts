import fc from 'fast-check';
import { snappyUncompress } from 'hyparquet';
import { snappyCompress } from './snappy.js';

function roundTrip(input: Uint8Array): Uint8Array {
  const output = new Uint8Array(input.length);
  snappyUncompress(snappyCompress(input), output);
  return output;
}

describe('Snappy', () => {
  it('decompresses to the original bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 90 }), fc.integer({ min: 1, max: 40 })), {
          maxLength: 30,
        }),
        (parts) => {
          const input = Buffer.concat(
            parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes)),
          );
          expect(Buffer.from(roundTrip(input)).equals(input)).toBe(true);
        },
      ),
      { seed: 15, numRuns: 300 },
    );
  });

  it('refers back at most 64 KiB and skips bytes without repeats', () => {
    let state = 1;
    const noise = Uint8Array.from(
      { length: 200_000 },
      () => (state = (state * 48_271) % 2_147_483_647) & 255,
    );
    const input = Buffer.concat([noise.subarray(0, 70_000), noise, noise.subarray(199_000)]);
    expect(Buffer.from(roundTrip(input)).equals(input)).toBe(true);
  });

  it.each([65_535, 65_536, 65_537])('decompresses input that repeats itself after %d bytes', (distance) => {
    const word = Buffer.from('ABCDEFGH');
    const input = Buffer.concat([word, Buffer.alloc(distance - word.length), word, Buffer.alloc(32, 'x')]);
    expect(Buffer.from(roundTrip(input)).equals(input)).toBe(true);
  });

  it('makes repetitive text much smaller', () => {
    const text = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(2_000));
    expect(snappyCompress(text).length).toBeLessThan(text.length / 15);
    expect(Buffer.from(roundTrip(text)).equals(text)).toBe(true);
  });
});

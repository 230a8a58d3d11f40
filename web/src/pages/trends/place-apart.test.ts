import { describe, expect, it } from 'vitest';
import { fitted, placeApart } from './place-apart.ts';

describe('names and marks in a chart', () => {
  it('stay where they are wanted while nothing is near', () => {
    expect(placeApart([80, 20, 50], 10, 0, 100)).toEqual([80, 20, 50]);
    expect(placeApart([], 10, 0, 100)).toEqual([]);
  });

  it('move apart in their order, between both ends', () => {
    expect(placeApart([50, 52, 10], 10, 0, 100)).toEqual([50, 60, 10]);
    expect(placeApart([99, 98, 97], 10, 0, 100)).toEqual([95, 85, 75]);
    expect(placeApart([0, 0], 10, 0, 100)).toEqual([5, 15]);
  });

  it('never lie over each other, however they are wanted', () => {
    for (let round = 0; round < 50; round += 1) {
      const wanted = Array.from({ length: 6 }, (_, index) => ((round * 37 + index * index * 13) % 11) * 10);
      const placed = placeApart(wanted, 14, 0, 100).sort((one, other) => one - other);
      for (const [index, place] of placed.entries()) {
        expect(place).toBeLessThanOrEqual(93);
        if (index > 0) expect(place - placed[index - 1]!).toBeGreaterThanOrEqual(14);
      }
    }
  });

  it('are cut where they are too wide', () => {
    const widthOf = (text: string): number => text.length;
    expect(fitted('batteries', 9, widthOf)).toBe('batteries');
    expect(fitted('heat pump', 6, widthOf)).toBe('heat…');
    expect(fitted('wide', 0, widthOf)).toBe('w…');
    expect(fitted('x'.repeat(5_000), 1_000, widthOf)).toHaveLength(81);
  });
});

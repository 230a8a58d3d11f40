// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LineMark, ticksOf } from './chart.tsx';

const WEEKS = Array.from({ length: 12 }, (_, week) => new Date(Date.UTC(2026, 7, 3 + 7 * week)).toJSON());

describe('a chart', () => {
  it('has ticks only where buckets begin, and no more than fit', () => {
    const starts = WEEKS.map((time) => Date.parse(time) / 1_000);
    expect(ticksOf(WEEKS, 5_000)).toEqual(starts);
    const few = ticksOf(WEEKS, 400);
    expect(few.every((tick) => starts.includes(tick))).toBe(true);
    expect(few).toHaveLength(3);
    expect(ticksOf([], 400)).toEqual([]);
  });

  it('has ticks where days, weeks and years begin', () => {
    const at = (...local: [number, number, number, number?]): string => new Date(...local).toISOString();
    const named = (times: string[], width: number) =>
      ticksOf(times, width).map((tick) => times.indexOf(new Date(tick * 1_000).toISOString()));
    expect(
      named(
        Array.from({ length: 72 }, (_, hour) => at(2026, 8, 14, 17 + hour)),
        400,
      ),
    ).toEqual([7, 31, 55]);
    // September 17th 2026 is a Thursday.
    expect(
      named(
        Array.from({ length: 30 }, (_, day) => at(2026, 8, 17 + day)),
        600,
      ),
    ).toEqual([4, 11, 18, 25]);
    expect(
      named(
        Array.from({ length: 30 }, (_, month) => at(2024, 9 + month, 1)),
        400,
      ),
    ).toEqual([3, 15, 27]);
  });

  it('draws every line like its key, none in the colour of failures', () => {
    const marks = [0, 1, 2, 3, 4, 'behind' as const].map((index) => {
      const { container } = render(<LineMark index={index} />);
      const path = container.querySelector('path')!;
      return `${path.getAttribute('stroke')} ${path.getAttribute('stroke-dasharray')}`;
    });
    expect(new Set(marks).size).toBe(marks.length);
    expect(marks.join()).not.toMatch(/--(bad|good|warn)/);
  });
});

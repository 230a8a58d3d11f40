// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { timeText } from '../pages/trends/trend-chart.tsx';
import { LineMark, ticksOf } from './chart.tsx';

const WEEKS = Array.from({ length: 12 }, (_, week) => new Date(Date.UTC(2026, 7, 3 + 7 * week)).toJSON());

describe('a chart', () => {
  it('has ticks only where buckets begin, and no more than fit', () => {
    const starts = WEEKS.map((time) => Date.parse(time) / 1_000);
    expect(ticksOf(WEEKS, 5_000)).toEqual(starts);
    const few = ticksOf(WEEKS, 400);
    expect(few.every((tick) => starts.includes(tick))).toBe(true);
    expect(few).toHaveLength(4);
    expect(ticksOf([], 400)).toEqual([]);
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

  it('names a week by its first day, and says that the last one is not over', () => {
    const now = Date.parse(WEEKS.at(-1)!) + 86_400_000;
    expect(timeText(WEEKS[0]!, WEEKS, now)).toBe('week of Aug 3');
    expect(timeText(WEEKS.at(-1)!, WEEKS, now)).toMatch(/, not over yet$/);
  });
});

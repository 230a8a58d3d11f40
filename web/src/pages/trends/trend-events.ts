import type { Schemas } from '../../api/client.ts';
import type { Story } from '../stories/stories.ts';
import { bucketAt } from './buckets.ts';
import type { Asked } from './trends-state.ts';

type Spike = Schemas['SpikeDto'];

/** An hour or day in which far more than usual was found of what was asked for. */
export interface FoundSpike {
  asked: Asked;
  /** The index of its line; null where a query is split into lines. */
  line: number | null;
  spike: Spike;
}

/** What the chart marks at a bucket, with its number: a spike of a line, or the beginning of a story. */
export type TrendEvent = { at: number; number: number } & (
  ({ kind: 'spike' } & FoundSpike) | { kind: 'story'; story: Story }
);

/** More marks than this of a kind hide the lines. */
const MOST = { spike: 6, story: 4 } as const;

/** A story that goes on for more than this part of a period is what is always written about. */
const LONGEST = 1 / 3;

const lengthOf = ({ first_at, last_at }: Story): number => Date.parse(last_at) - Date.parse(first_at);

/** The strongest spikes and the largest stories of a chart with these borders, numbered in the order of time. */
export function eventsOf(
  borders: readonly number[],
  spikes: readonly FoundSpike[],
  stories: readonly Story[],
): TrendEvent[] {
  if (borders.length === 0) return [];
  const period = borders.at(-1)! - borders[0]!;
  const strongest = spikes
    .map((one) => ({ ...one, kind: 'spike' as const, at: bucketAt(borders, Date.parse(one.spike.start)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => other.spike.score - one.spike.score)
    .slice(0, MOST.spike);
  const largest = stories
    .map((story) => ({ kind: 'story' as const, story, at: bucketAt(borders, Date.parse(story.first_at)) }))
    .filter(({ at, story }) => at >= 0 && lengthOf(story) <= LONGEST * period)
    .toSorted((one, other) => other.story.size - one.story.size)
    .slice(0, MOST.story);
  return [...strongest, ...largest]
    .toSorted((one, other) => one.at - other.at)
    .map((event, index) => ({ ...event, number: index + 1 }));
}

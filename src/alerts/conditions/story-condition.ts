import type { FoundStory, StoryRequest } from '../../content/stories/stories.service.js';
import type { StoryDto } from '../../content/stories/story.dto.js';
import type { Alert } from '../alert/alert.entity.js';
import type { KnownStories } from '../alert/known-stories.js';
import { queryOf } from './spike-condition.js';

/** Least number of matches in a story that triggers an alert. */
const LEAST_SIZE = 3;
/** Time between two readings of the stories of an alert. */
const PERIOD_MS = 10 * 60_000;
/** Stories that trigger an alert in one reading, the largest; further ones do so in the next. */
const MOST_NEW = 20;
/** Known stories: more than one reading can find, as each has several of the posts and comments that it reads. */
const MOST_KNOWN = 4_000;

/** The stories of an alert, which are those that the list of stories has for it. */
export const storiesOf = (alert: Pick<Alert, 'keywords' | 'query' | 'forums' | 'of'>): StoryRequest => ({
  of: alert.of,
  filter: { q: queryOf(alert) },
});

/** The stories that are large enough for an alert. */
export const largeStories = (found: readonly FoundStory[]): FoundStory[] =>
  found.filter(({ size }) => size >= LEAST_SIZE);

/**
 * The stories, largest first, that trigger an alert, and those that it knows then. A part of a known story that becomes
 * one of its own is known, too. In the first reading all are.
 */
export function newStoriesOf(
  { known }: KnownStories,
  found: readonly FoundStory[],
): { news: FoundStory[]; story: KnownStories } {
  const large = largeStories(found);
  const before = new Set(known);
  const isKnown = ({ id, formerId }: FoundStory): boolean =>
    known === null || before.has(id) || (formerId !== null && before.has(formerId));
  const news = large.filter((one) => !isKnown(one)).slice(0, MOST_NEW);
  const present = [...news, ...large.filter(isKnown)].map(({ id }) => id);
  return { news, story: { known: [...new Set([...present, ...before])].slice(0, MOST_KNOWN) } };
}

/** When the stories are read next, after `now`. */
export const nextStories = (now: Date): Date => new Date(now.getTime() + PERIOD_MS);

/** A story in one sentence, for example `5 in one story`. */
export const storySentence = ({ size }: StoryDto): string => `${size} in one story`;

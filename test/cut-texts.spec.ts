import { refusedFeed } from '../src/collect/schedules/feed-schedules.controller.js';
import { storyTitle } from '../src/content/stories/story-title.js';
import { linksIn } from '../src/enrichment/plugins/built-in/link-extractor.js';
import { readPost } from '../src/platforms/discourse/discourse-wire.js';
import { unescaped } from '../src/platforms/http/response-parsing.js';
import { refusal } from '../src/platforms/reddit/refusals.js';

/** A text with a character of two halves, one before and one after a place. */
const across = (place: number, beginning = ''): string => `${beginning.padEnd(place - 1, 'x')}😀tail`;

describe('a text that is too long is cut between characters', () => {
  it.each<[string, () => string | undefined]>([
    ['the title of a story', () => storyTitle({ title: '', text: across(200) })],
    ['the address of a refused feed', () => refusedFeed(`feed:${across(500)}`, '').address],
    ['why a feed is refused', () => refusedFeed('feed:x', across(1_000)).message],
    ['a link', () => linksIn(across(2_048, 'https://e.org/'))[0]],
    [
      'the explanation of Reddit',
      () => refusal({ kind: 'forum', name: 'x' }, 403, { message: across(200) }).message,
    ],
    ['a text with entities', () => unescaped(across(300_000, '&amp;'))],
    [
      'the HTML of Discourse',
      () => readPost({ id: 1, post_number: 1, created_at: '2026-01-01', cooked: across(300_000) })?.html,
    ],
  ])('%s', (_, cut) => {
    const text = cut() ?? '';
    expect(text).toContain('xxx');
    expect(text).not.toMatch(/\p{Surrogate}|\ufffd|😀/u);
  });
});

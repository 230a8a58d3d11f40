import type { ScrapePlugin } from '../plugin.js';

/** Well-known bots whose names do not match NAME. */
const KNOWN = new Set([
  'automoderator',
  'savevideo',
  'stabbot',
  'haikusbot',
  'sneakpeekbot',
  'gifreversingbot',
]);
/** `Some_Bot`, `some-bot2`, `SomeBot`: "bot" must be a word of its own, so that Talbot does not match. */
const NAME = /(?:[_-][Bb][Oo][Tt]|[a-z0-9]B(?:ot|OT))(?:[_-]?\d+)?$|^[Bb]ot[_-]/;
const CONFESSION =
  /\bI(?:'|’)?\s*a?m a bot\b|\bthis action was performed automatically\b|^\W*beep[,.]? boop\b/i;

function isBot(author: string, text: string): boolean {
  return KNOWN.has(author.toLowerCase()) || NAME.test(author) || CONFESSION.test(text);
}

/** Plugin that drops posts and comments of bots. */
export const botFilter: ScrapePlugin = {
  name: 'bot_filter',
  description: 'Skips posts and comments by accounts whose name or text says that they are bots.',
  onPosts: (batch) => batch.filter(({ record }) => !isBot(record.author, record.selftext)),
  onComments: (batch) => batch.filter(({ record }) => !isBot(record.author, record.body)),
};

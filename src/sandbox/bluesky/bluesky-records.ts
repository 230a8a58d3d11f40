import type { Statement } from '../data/conversation.js';

/** The one account with posts; others only reply. */
export const DID = 'did:plc:synthetic';
/** The kind of record of posts. */
export const COLLECTION = 'app.bsky.feed.post';

/** The key of a post, or of one of its replies. */
export const keyOf = (index: number, reply?: number): string =>
  `p${index}${reply === undefined ? '' : `r${reply}`}`;

/** A text of at most 300 characters, as the platform limits them. */
export function recordOf({ text, createdAt }: Statement): object {
  return {
    $type: COLLECTION,
    text: [...text].slice(0, 300).join(''),
    createdAt: createdAt.toISOString(),
    langs: ['en'],
  };
}

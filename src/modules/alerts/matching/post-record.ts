import { detectLanguage } from '../../../text/language/detect-language.js';
import type { MatchedRecord } from '../../search/matching/matched-record.js';

/** The fields of a post that alerts compare. */
export interface MatchablePost {
  forum: string;
  title: string;
  selftext: string;
  author: string;
  score?: number;
  numComments?: number;
  createdUtc: Date;
}

/** A post as queries compare it. */
export function recordOf(post: MatchablePost): MatchedRecord {
  const { title, selftext, forum, author, score, numComments, createdUtc } = post;
  return {
    texts: { title, text: selftext },
    language: detectLanguage(`${title}\n${selftext}`),
    values: { forum, author },
    numbers: { score, comments: numComments, created: createdUtc.getTime() },
    flags: {},
  };
}

import { detectLanguage } from '../../text/language/detect-language.js';
import { searchValue } from '../../text/search-value.js';
import { isPromotionalPost } from '../promotion/is-promotion.js';
import type { PostRecord } from './post.entity.js';

/** A record with its words, by which searches find it, its language, and whether it is promotion. */
export const searchable = <
  Row extends Pick<PostRecord, 'id' | 'author' | 'title' | 'selftext' | 'url' | 'language'>,
>(
  row: Row,
): Row & { search: string; language: string; isPromotion: boolean } => ({
  ...row,
  language: row.language ?? detectLanguage(`${row.title}\n${row.selftext}`),
  isPromotion: isPromotionalPost(row),
  search: searchValue({ title: row.title, text: row.selftext }),
});

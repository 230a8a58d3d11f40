import { detectLanguage } from '../../../text/language/detect-language.js';
import { UNDETERMINED } from '../../../text/language/languages.js';
import type { PluginItem, ScrapePlugin } from '../plugin.js';

function annotate<T>(batch: PluginItem<T>[], textOf: (record: T) => string): PluginItem<T>[] {
  for (const { record, annotations } of batch) {
    const language = detectLanguage(textOf(record));
    if (language !== UNDETERMINED) annotations.language = language;
  }
  return batch;
}

/** Plugin that annotates the language. */
export const languageTagger: ScrapePlugin = {
  name: 'language_tagger',
  description:
    'Stores the language of a post or comment as `language`, an ISO 639-1 code, if it can be detected.',
  onPosts: (batch) => annotate(batch, (post) => `${post.title} ${post.selftext}`),
  onComments: (batch) => annotate(batch, (comment) => comment.body),
};

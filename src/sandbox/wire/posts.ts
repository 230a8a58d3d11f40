import { slugOf } from '../text/text.js';
import { FLAIRS } from '../text/word-lists.js';
import type { Forum } from '../data/forums.js';
import { hash } from '../data/random.js';
import type { DataSet } from '../data/data-set.js';
import { CONSTANT_POST_FIELDS } from './constant-fields.js';
import { dataOf, type Escape, html, thing, type ThingJson } from './things.js';
import { kindOf, linkOf, ownership, quoted, titleAndBody } from './post-facts.js';
import { mediaFields } from './post-media.js';

/** The data besides the post that a response depends on. */
export interface WireContext {
  data: DataSet;
  /** Scheme, host and port with which the client reached the sandbox. */
  origin: string;
  escape: Escape;
}

/** Renders a post as the platform's API does. */
export function renderPost(forum: Forum, index: number, context: WireContext): ThingJson {
  return render(forum, index, context, (own, text) => thing('t3', CONSTANT_POST_FIELDS, own, text));
}

/** Renders a post as an archive row with the archive's additional fields. */
export function renderPostRow(forum: Forum, index: number, context: WireContext, more: object): string {
  return render(forum, index, context, (own, text) => dataOf(CONSTANT_POST_FIELDS, own, text), more);
}

function postFields(
  forum: Forum,
  index: number,
  context: WireContext,
  mayQuote: boolean,
): Record<string, unknown> & { name: string; permalink: string; title: string } {
  const { data, escape } = context;
  const id = data.ids.post(forum.number, index);
  const kind = kindOf(forum, index, data, mayQuote);
  const bits = hash(data.seed, 61, forum.number, index);
  const { title, body } = titleAndBody(forum, index, kind, data);
  const createdUtc = data.createdAt(forum, index);
  const score = data.score(forum, index);
  const permalink = `/r/${forum.name}/comments/${id}/${slugOf(title)}/`;
  const added = data.edits.post(forum.number, index);
  const isAdult = added ? added.isAdult : bits % 25 === 0;
  const isSpoiler = !added && (bits >>> 5) % 33 === 0;
  const generatedFlair =
    (bits >>> 3) % 10 < 7
      ? (FLAIRS[forum.subject][(bits >>> 9) % FLAIRS[forum.subject].length] ?? null)
      : null;
  const flair = added ? added.flair : generatedFlair;
  const isSticky = data.isSticky(forum, index);
  const awards = (bits >>> 12) % 30 === 0 ? 1 + ((bits >>> 17) % 9) : 0;
  const { author, text, removedBy } = ownership(forum, index, body, data);
  const fields = {
    subreddit: forum.name,
    subreddit_id: `t5_${(9_000 + forum.number).toString(36)}`,
    subreddit_name_prefixed: `r/${forum.name}`,
    subreddit_subscribers: forum.subscribers,
    id,
    name: `t3_${id}`,
    title: escape(title),
    selftext: escape(text),
    selftext_html: text === '' ? null : escape(`<!-- SC_OFF -->${html(text)}<!-- SC_ON -->`),
    author: author === null ? '[deleted]' : data.authors.names[author],
    author_fullname: author === null ? undefined : `t2_${(70_000 + author).toString(36)}`,
    created: createdUtc,
    created_utc: createdUtc,
    edited: (bits >>> 7) % 12 === 0 ? createdUtc + 600 + (bits % 5000) : false,
    score,
    ups: Math.max(0, score),
    upvote_ratio: data.upvoteRatio(forum, index),
    hide_score: data.contentNow() - createdUtc < 3600,
    num_comments: data.statedComments(forum, index),
    permalink,
    domain: kind === 'self' ? `self.${forum.name}` : 'news.example',
    url: kind === 'link' ? linkOf(forum, index, data) : `${data.site}${permalink}`,
    thumbnail: isAdult ? 'nsfw' : isSpoiler ? 'spoiler' : kind === 'self' ? 'self' : 'default',
    is_self: kind === 'self',
    over_18: isAdult,
    spoiler: isSpoiler,
    stickied: isSticky,
    distinguished: isSticky ? 'moderator' : null,
    locked: (bits >>> 11) % 60 === 0,
    link_flair_text: flair === null ? null : escape(flair),
    link_flair_css_class: flair === null ? null : '',
    link_flair_text_color: 'dark',
    total_awards_received: awards,
    removed_by_category: removedBy,
    is_video: false,
    media: null,
    secure_media: null,
    is_reddit_media_domain: false,
    thumbnail_width: null,
    thumbnail_height: null,
  };
  return Object.assign(
    fields,
    mediaFields(forum, index, kind, { ids: data.ids, seed: data.seed, origin: context.origin, escape }),
  );
}

/** Renders a post; a crosspost shows the quoted post's title and contains the whole quoted post. */
function render(
  forum: Forum,
  index: number,
  context: WireContext,
  write: (own: object, text: string) => string,
  more?: object,
): string {
  const own = Object.assign(postFields(forum, index, context, true), more);
  const source =
    kindOf(forum, index, context.data) === 'crosspost' ? quoted(forum, index, context.data) : null;
  if (!source) return write(own, '');
  const parent = postFields(source.forum, source.index, context, false);
  // The platform gives the quoted post's address without a host.
  const fields = { ...own, title: parent.title, url: parent.permalink, crosspost_parent: parent.name };
  return write(fields, `"crosspost_parent_list":[${dataOf(CONSTANT_POST_FIELDS, parent)}]`);
}

import { postText, slugOf } from '../text/text.js';
import { FLAIRS } from '../text/vocabulary.js';
import type { Forum, PostKind } from '../world/forums.js';
import { hash } from '../world/hash.js';
import { postId } from '../world/ids.js';
import type { World } from '../world/world.js';
import { type Escape, html, type Thing } from './listing.js';
import { mediaFields } from './post-media.js';

/** What an answer depends on besides the content. */
export interface WireContext {
  world: World;
  /** Scheme, host and port that the client knows the sandbox by. */
  origin: string;
  escape: Escape;
}

const EMPTY_POST = {
  approved_at_utc: null,
  approved_by: null,
  saved: false,
  mod_reason_title: null,
  gilded: 0,
  clicked: false,
  link_flair_richtext: [],
  hidden: false,
  pwls: 6,
  wls: 6,
  downs: 0,
  top_awarded_type: null,
  quarantine: false,
  subreddit_type: 'public',
  media_embed: {},
  secure_media_embed: {},
  author_flair_template_id: null,
  is_original_content: false,
  user_reports: [],
  secure_media: null,
  media: null,
  is_reddit_media_domain: false,
  is_meta: false,
  category: null,
  can_mod_post: false,
  is_created_from_ads_ui: false,
  author_premium: false,
  author_flair_css_class: null,
  author_flair_richtext: [],
  gildings: {},
  content_categories: null,
  link_flair_type: 'text',
  banned_by: null,
  author_flair_type: 'text',
  allow_live_comments: false,
  likes: null,
  suggested_sort: null,
  banned_at_utc: null,
  view_count: null,
  archived: false,
  no_follow: true,
  is_crosspostable: true,
  pinned: false,
  all_awardings: [],
  awarders: [],
  media_only: false,
  can_gild: false,
  author_flair_text: null,
  treatment_tags: [],
  visited: false,
  removed_by: null,
  mod_note: null,
  num_reports: null,
  author_is_blocked: false,
  mod_reason_by: null,
  removal_reason: null,
  link_flair_background_color: '',
  is_robot_indexable: true,
  report_reasons: null,
  discussion_type: null,
  send_replies: true,
  contest_mode: false,
  mod_reports: [],
  author_patreon_flair: false,
  author_flair_text_color: null,
  num_crossposts: 0,
  is_video: false,
  thumbnail_width: null,
  thumbnail_height: null,
} as const;

/** A post as the platform's API shows it. */
export function renderPost(forum: Forum, index: number, context: WireContext): Thing {
  return { kind: 't3', data: postData(forum, index, context, true) };
}

/** `/r/…/comments/…/…/` of a post. */
export function permalinkOf(forum: Forum, index: number, world: World): string {
  return `/r/${forum.name}/comments/${postId(forum.number, index)}/${slugOf(titleAndBody(forum, index, kindOf(forum, index, world), world).title)}/`;
}

function postData(
  forum: Forum,
  index: number,
  context: WireContext,
  mayQuote: boolean,
): Record<string, unknown> {
  const { world, escape } = context;
  const id = postId(forum.number, index);
  const kind = kindOf(forum, index, world, mayQuote);
  const bits = hash(world.seed, 61, forum.number, index);
  const { title, body } = titleAndBody(forum, index, kind, world);
  const createdUtc = world.createdAt(forum, index);
  const score = world.score(forum, index);
  const permalink = `/r/${forum.name}/comments/${id}/${slugOf(title)}/`;
  const isAdult = bits % 25 === 0;
  const isSpoiler = (bits >>> 5) % 33 === 0;
  const flair =
    (bits >>> 3) % 10 < 7
      ? (FLAIRS[forum.subject][(bits >>> 9) % FLAIRS[forum.subject].length] ?? null)
      : null;
  const isSticky = world.isSticky(forum, index);
  const awards = (bits >>> 12) % 30 === 0 ? 1 + ((bits >>> 17) % 9) : 0;
  const { author, text, removedBy } = ownership(forum, index, body, world);
  return {
    ...EMPTY_POST,
    subreddit: forum.name,
    subreddit_id: `t5_${(9_000 + forum.number).toString(36)}`,
    subreddit_name_prefixed: `r/${forum.name}`,
    subreddit_subscribers: forum.subscribers,
    id,
    name: `t3_${id}`,
    title: escape(title),
    selftext: escape(text),
    selftext_html: text === '' ? null : escape(`<!-- SC_OFF -->${html(text)}<!-- SC_ON -->`),
    author: author === null ? '[deleted]' : world.authors.names[author],
    ...(author === null ? {} : { author_fullname: `t2_${(70_000 + author).toString(36)}` }),
    created: createdUtc,
    created_utc: createdUtc,
    edited: (bits >>> 7) % 12 === 0 ? createdUtc + 600 + (bits % 5000) : false,
    score,
    ups: Math.max(0, score),
    upvote_ratio: world.upvoteRatio(forum, index),
    hide_score: world.contentNow() - createdUtc < 3600,
    num_comments: world.statedComments(forum, index),
    permalink,
    domain: kind === 'self' ? `self.${forum.name}` : 'news.example',
    url: `https://www.reddit.com${permalink}`,
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
    ...(kind === 'link' ? { url: linkOf(forum, index, world) } : {}),
    ...mediaFields(forum, index, kind, { seed: world.seed, origin: context.origin, escape }),
    ...(kind === 'crosspost' ? crosspost(forum, index, context) : {}),
  };
}

/** Who a post belongs to now, and what is left of its text. */
function ownership(forum: Forum, index: number, body: string, world: World) {
  const author = world.author(forum, index);
  if (world.isRemoved(forum, index))
    return { author, text: body === '' ? '' : '[removed]', removedBy: 'moderator' };
  if (author !== null) return { author, text: body, removedBy: null };
  // An account that is gone leaves its texts behind; a post that its author took down does not.
  const isTakenDown = hash(world.seed, 62, forum.number, index) % 2 === 0;
  return isTakenDown
    ? { author, text: body === '' ? '' : '[deleted]', removedBy: 'deleted' }
    : { author, text: body, removedBy: null };
}

function kindOf(forum: Forum, index: number, world: World, mayQuote = true): PostKind {
  if (world.isSticky(forum, index)) return 'self';
  const kind = world.kind(forum, index);
  return kind === 'crosspost' && !(mayQuote && quoted(forum, index, world)) ? 'link' : kind;
}

function titleAndBody(forum: Forum, index: number, kind: PostKind, world: World) {
  if (world.isSticky(forum, index))
    return {
      title: `Weekly thread: ask r/${forum.name} anything`,
      body: 'Please read the **rules** first & be kind.',
    };
  const text = postText(
    forum.subject,
    hash(world.seed, 63, forum.number, original(forum, index, kind, world)),
    kind === 'self',
  );
  return original(forum, index, kind, world) === index ? text : { ...text, title: `${text.title} (repost)` };
}

/** Some links are posted again within a few posts, with another title and a tracking parameter. */
function original(forum: Forum, index: number, kind: PostKind, world: World): number {
  const bits = hash(world.seed, 64, forum.number, index);
  return kind === 'link' && index > 20 && bits % 40 === 0 ? index - 1 - ((bits >>> 8) % 12) : index;
}

function linkOf(forum: Forum, index: number, world: World): string {
  const source = original(forum, index, 'link', world);
  const { title } = postText(forum.subject, hash(world.seed, 63, forum.number, source), false);
  const address = `https://news.example/${forum.name}/${source}/${encodeURIComponent(slugOf(title))}`;
  return source === index ? address : `${address}?utm_source=share`;
}

/** The older post of another built-in forum that a crosspost shows. */
function quoted(forum: Forum, index: number, world: World): { forum: Forum; index: number } | null {
  const bits = hash(world.seed, 65, forum.number, index);
  const other = world.forums[(forum.number + (bits % 3)) % Math.min(4, world.forums.length)]!;
  const before = world.createdAt(forum, index);
  const position = bits % Math.max(1, Math.floor(other.posts / 2));
  if (other === forum || position >= other.posts || world.createdAt(other, position) >= before) return null;
  return { forum: other, index: position };
}

function crosspost(forum: Forum, index: number, context: WireContext): Record<string, unknown> {
  const source = quoted(forum, index, context.world);
  if (!source) return {};
  const parent = postData(source.forum, source.index, context, false);
  return {
    crosspost_parent: parent['name'],
    crosspost_parent_list: [parent],
    // The platform gives this one address without a host.
    url: parent['permalink'],
    title: parent['title'],
  };
}

import { commentText } from '../text/text.js';
import type { Forum } from '../world/forums.js';
import { hash } from '../world/hash.js';
import { commentId, postId } from '../world/ids.js';
import type { Branch, Thread, Tree } from '../world/thread.js';
import { html, listing, type Thing } from './listing.js';
import { permalinkOf, type WireContext } from './posts.js';

const EMPTY_COMMENT = {
  approved_at_utc: null,
  author_is_blocked: false,
  comment_type: null,
  awarders: [],
  mod_reason_by: null,
  banned_by: null,
  author_flair_type: 'text',
  total_awards_received: 0,
  author_flair_template_id: null,
  likes: null,
  user_reports: [],
  saved: false,
  banned_at_utc: null,
  mod_reason_title: null,
  gilded: 0,
  archived: false,
  collapsed_reason_code: null,
  no_follow: true,
  can_mod_post: false,
  send_replies: true,
  removal_reason: null,
  approved_by: null,
  mod_note: null,
  all_awardings: [],
  top_awarded_type: null,
  author_flair_css_class: null,
  downs: 0,
  author_flair_richtext: [],
  author_patreon_flair: false,
  gildings: {},
  collapsed_reason: null,
  associated_award: null,
  author_premium: false,
  can_gild: false,
  unrepliable_reason: null,
  author_flair_text_color: null,
  subreddit_type: 'public',
  locked: false,
  report_reasons: null,
  author_flair_text: null,
  treatment_tags: [],
  collapsed_because_crowd_control: null,
  mod_reports: [],
  num_reports: null,
  author_flair_background_color: null,
} as const;

const HIDDEN_SCORE_SECONDS = 900;
const BOT_NOTICE =
  '*I am a bot, and this action was performed automatically. Please contact the moderators with any questions.*';

/** The comments of one post on the wire. */
export class CommentRenderer {
  private readonly permalink: string;
  private readonly link: string;
  private readonly postAuthor: number | null;

  constructor(
    private readonly forum: Forum,
    private readonly index: number,
    readonly thread: Thread,
    private readonly context: WireContext,
  ) {
    this.permalink = permalinkOf(forum, index, context.world);
    this.link = `t3_${postId(forum.number, index)}`;
    this.postAuthor = context.world.author(forum, index);
  }

  /** A tree answer's second listing. */
  tree(tree: Tree): Thing {
    const things = tree.branches.map((branch) => this.nested(branch));
    if (tree.left.length > 0) things.push(this.stub(tree.left, this.link, 0));
    return listing(things, null, null);
  }

  /** A `morechildren` answer's things. */
  flat(branches: readonly Branch[]): Thing[] {
    return branches.flatMap((branch) => [
      this.comment(branch.index, branch.depth, ''),
      ...this.stubsBelow(branch),
    ]);
  }

  /** One comment by itself, as look-ups and archives show it. */
  comment(index: number, depth: number | null, replies: Thing | ''): Thing {
    const { world, escape } = this.context;
    const { forum, thread } = this;
    const id = commentId(forum.number, this.index, index);
    const bits = hash(world.seed, 71, forum.number, this.index, index);
    const createdUtc = world.commentedAt(forum, this.index, index);
    const isBot = index === 0 && hash(world.seed, 72, forum.number, this.index) % 7 === 0;
    const { author, body, collapsed } = isBot
      ? { author: 'AutoModerator', body: BOT_NOTICE, collapsed: false }
      : this.ownership(bits);
    const isHidden = world.contentNow() - createdUtc < HIDDEN_SCORE_SECONDS;
    const score = isHidden || isBot ? 1 : thread.score(index);
    return {
      kind: 't1',
      data: {
        ...EMPTY_COMMENT,
        subreddit: forum.name,
        subreddit_id: `t5_${(9_000 + forum.number).toString(36)}`,
        subreddit_name_prefixed: `r/${forum.name}`,
        id,
        name: `t1_${id}`,
        link_id: this.link,
        parent_id: this.fullName(thread.parent[index]!),
        permalink: `${this.permalink}${id}/`,
        author: author ?? '[deleted]',
        ...(author === null ? {} : { author_fullname: `t2_${(bits % 9_000_000).toString(36)}` }),
        body: escape(body),
        body_html: escape(html(body)),
        score,
        ups: score,
        score_hidden: isHidden,
        controversiality: bits % 30 === 0 ? 1 : 0,
        created: createdUtc,
        created_utc: createdUtc,
        edited: (bits >>> 4) % 25 === 0 ? createdUtc + 60 + (bits % 900) : false,
        is_submitter:
          author !== null && this.postAuthor !== null && author === world.authors.names[this.postAuthor],
        stickied: isBot,
        distinguished: isBot ? 'moderator' : null,
        collapsed: collapsed || score < -5,
        ...(depth === null ? {} : { depth }),
        replies,
      },
    };
  }

  private ownership(bits: number): { author: string | null; body: string; collapsed: boolean } {
    const { world } = this.context;
    const fate = (bits >>> 8) % 100;
    if (fate === 0) return { author: null, body: '[deleted]', collapsed: true };
    if (fate === 1) return { author: null, body: '[removed]', collapsed: true };
    const body = commentText(this.forum.subject, bits);
    if (fate === 2) return { author: null, body, collapsed: false };
    const author = (bits >>> 3) % 8 === 0 ? (this.postAuthor ?? 0) : world.authors.anyone(bits);
    return { author: world.authors.names[author]!, body, collapsed: false };
  }

  private nested(branch: Branch): Thing {
    const below = branch.children.map((child) => this.nested(child));
    below.push(...this.stubsBelow(branch));
    return this.comment(branch.index, branch.depth, below.length === 0 ? '' : listing(below, null, null));
  }

  private stubsBelow(branch: Branch): Thing[] {
    const parent = this.fullName(branch.index);
    if (branch.deeper)
      return [
        {
          kind: 'more',
          data: { count: 0, name: 't1__', id: '_', parent_id: parent, depth: branch.depth + 1, children: [] },
        },
      ];
    return branch.left.length > 0 ? [this.stub(branch.left, parent, branch.depth + 1)] : [];
  }

  /** `count` speaks of all that is below, `children` only of the next level. */
  private stub(left: readonly number[], parent: string, depth: number): Thing {
    const children = left.map((index) => commentId(this.forum.number, this.index, index));
    return {
      kind: 'more',
      data: {
        count: this.thread.weightOf(left),
        name: `t1_${children[0]}`,
        id: children[0],
        parent_id: parent,
        depth,
        children,
      },
    };
  }

  private fullName(comment: number): string {
    return comment < 0 ? this.link : `t1_${commentId(this.forum.number, this.index, comment)}`;
  }
}

import { commentText } from '../text/text.js';
import type { AddedComment, Fate } from '../data/edits.js';
import type { Forum } from '../data/forums.js';
import { hash } from '../data/random.js';
import type { Branch, Thread, Tree } from '../data/thread.js';
import { CONSTANT_COMMENT_FIELDS } from './constant-fields.js';
import { dataOf, html, listing, thing, type ThingJson } from './things.js';
import { permalinkOf } from './post-facts.js';
import type { WireContext } from './posts.js';

const HIDDEN_SCORE_SECONDS = 900;
const BOT_COMMENT = {
  author: null,
  body: '*I am a bot, and this action was performed automatically. Please contact the moderators with any questions.*',
  collapsed: false,
};
/** The platform sends an empty string for no replies. */
export const NO_REPLIES = '""';

/** Renders the comments of one post as the platform's JSON. */
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
    this.permalink = permalinkOf(forum, index, context.data);
    this.link = `t3_${context.data.ids.post(forum.number, index)}`;
    this.postAuthor = context.data.author(forum, index);
  }

  /** The second listing of a tree response. */
  tree(tree: Tree): ThingJson {
    const things = tree.branches.map((branch) => this.nested(branch));
    if (tree.omitted.length > 0) things.push(this.stub(tree.omitted, this.link, 0));
    return listing(things, null, null);
  }

  /** The things of a `morechildren` response. */
  flat(branches: readonly Branch[]): ThingJson[] {
    return branches.flatMap((branch) => [
      this.comment(branch.index, branch.depth, NO_REPLIES),
      ...this.stubsBelow(branch),
    ]);
  }

  /** One comment. `replies` is JSON text, a listing or an empty string; without `depth` the field is absent. */
  comment(index: number, depth: number | null, replies: string): ThingJson {
    return thing('t1', CONSTANT_COMMENT_FIELDS, this.fields(index, depth), `"replies":${replies}`);
  }

  /** One comment as an archive's row, with fields of the archive's own. */
  row(index: number, more: object): string {
    return dataOf(
      CONSTANT_COMMENT_FIELDS,
      Object.assign(this.fields(index, null), more),
      `"replies":${NO_REPLIES}`,
    );
  }

  private fields(index: number, depth: number | null) {
    const { data, escape } = this.context;
    const { forum, thread } = this;
    const id = data.ids.comment(forum.number, this.index, index);
    const bits = hash(data.seed, 71, forum.number, this.index, index);
    const createdUtc = data.commentedAt(forum, this.index, index);
    const added = data.edits.comment(forum.number, this.index, index);
    const fate = data.fate(forum, this.index, index);
    const isBot =
      !added && fate === null && index === 0 && hash(data.seed, 72, forum.number, this.index) % 7 === 0;
    const { author, body, collapsed } = isBot ? BOT_COMMENT : this.ownership(bits, added, fate);
    const age = data.contentNow() - createdUtc;
    const isHidden = age >= 0 && age < HIDDEN_SCORE_SECONDS;
    const score = added ? added.score : isHidden || isBot ? 1 : thread.score(index);
    return {
      subreddit: forum.name,
      subreddit_id: `t5_${(9_000 + forum.number).toString(36)}`,
      subreddit_name_prefixed: `r/${forum.name}`,
      id,
      name: `t1_${id}`,
      link_id: this.link,
      parent_id: this.fullName(thread.parent[index]!),
      permalink: `${this.permalink}${id}/`,
      author: isBot ? 'AutoModerator' : author === null ? '[deleted]' : data.authors.names[author],
      author_fullname: isBot
        ? 't2_6l4z3'
        : author === null
          ? undefined
          : `t2_${(70_000 + author).toString(36)}`,
      body: escape(body),
      body_html: escape(html(body)),
      score,
      ups: score,
      score_hidden: isHidden,
      controversiality: bits % 30 === 0 ? 1 : 0,
      created: createdUtc,
      created_utc: createdUtc,
      edited: (bits >>> 4) % 25 === 0 ? createdUtc + 60 + (bits % 900) : false,
      is_submitter: author !== null && author === this.postAuthor,
      stickied: isBot,
      distinguished: isBot ? 'moderator' : null,
      collapsed: collapsed || score < -5,
      depth: depth ?? undefined,
    };
  }

  private ownership(
    bits: number,
    added: AddedComment | null,
    mark: Fate | null,
  ): { author: number | null; body: string; collapsed: boolean } {
    const { data } = this.context;
    if (mark !== null) return { author: null, body: `[${mark}]`, collapsed: true };
    if (added)
      return {
        author: added.author,
        body: added.body ?? commentText(this.forum.subject, bits),
        collapsed: false,
      };
    const fate = (bits >>> 8) % 100;
    if (fate === 0) return { author: null, body: '[deleted]', collapsed: true };
    if (fate === 1) return { author: null, body: '[removed]', collapsed: true };
    const body = commentText(this.forum.subject, bits);
    if (fate === 2) return { author: null, body, collapsed: false };
    const author = (bits >>> 3) % 8 === 0 ? (this.postAuthor ?? 0) : data.authors.anyone(bits);
    return { author, body, collapsed: false };
  }

  private nested(branch: Branch): ThingJson {
    const below = branch.children.map((child) => this.nested(child));
    below.push(...this.stubsBelow(branch));
    return this.comment(
      branch.index,
      branch.depth,
      below.length === 0 ? NO_REPLIES : listing(below, null, null),
    );
  }

  private stubsBelow(branch: Branch): ThingJson[] {
    const parent = this.fullName(branch.index);
    if (branch.hasDeeper)
      return [
        more({ count: 0, name: 't1__', id: '_', parent_id: parent, depth: branch.depth + 1, children: [] }),
      ];
    return branch.omitted.length > 0 ? [this.stub(branch.omitted, parent, branch.depth + 1)] : [];
  }

  /** `count` includes whole subtrees, `children` only the next level. */
  private stub(omitted: readonly number[], parent: string, depth: number): ThingJson {
    const children = omitted.map((index) =>
      this.context.data.ids.comment(this.forum.number, this.index, index),
    );
    return more({
      count: this.thread.subtreeSizeOf(omitted),
      name: `t1_${children[0]}`,
      id: children[0],
      parent_id: parent,
      depth,
      children,
    });
  }

  private fullName(comment: number): string {
    return comment < 0
      ? this.link
      : `t1_${this.context.data.ids.comment(this.forum.number, this.index, comment)}`;
  }
}

const more = (data: object): ThingJson => `{"kind":"more","data":${JSON.stringify(data)}}`;

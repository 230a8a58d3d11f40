import { commentId, mapComment, mapPost } from '../../src/platforms/reddit/mapper.js';
import { asArray, asObject, unescaped, type WireObject } from '../../src/platforms/http/response-parsing.js';
import { asThing } from '../../src/platforms/reddit/wire.js';
import { describeRecordings, exchangesOf, haveRecordings, idsHash, readJson } from './replay.js';

interface Expected {
  file: string;
  posts: number;
  comments: number;
  post_ids_sha256?: string;
  comment_ids_sha256?: string;
  /** Whether texts were recorded without escaping. */
  raw_json: boolean;
}

const expected = haveRecordings ? readJson<Record<string, Expected>>('expected.json') : {};

interface Rows {
  posts: WireObject[];
  comments: WireObject[];
}

/** Every post and comment row of a response, whatever its shape. */
function collect(value: unknown, rows: Rows): void {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, rows));
  const thing = asThing(value);
  if (thing?.kind === 't3') rows.posts.push(thing.data);
  else if (thing?.kind === 't1') {
    rows.comments.push(thing.data);
    collect(thing.data.replies, rows);
  } else if (thing?.kind === 'Listing') collect(thing.data.children, rows);
  else if (!thing) {
    const object = asObject(value);
    for (const key of ['json', 'data', 'things']) if (object?.[key]) collect(object[key], rows);
    for (const row of asArray(object?.data).map(asObject)) {
      if (!row || asThing(row)) continue;
      if (row.title !== undefined) rows.posts.push(row);
      else if (row.body !== undefined) rows.comments.push(row);
    }
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const storable = (text: string) => !text.includes('\u0000') && !LONE_SURROGATE.test(text);
const ENTITY = /&(?:amp|lt|gt|quot|#39|#x200B);/i;

describeRecordings('every recorded post and comment', () => {
  it.each(Object.entries(expected).filter(([, facts]) => facts.posts + facts.comments > 0))(
    'of %s is mapped',
    (_name, facts) => {
      const rows: Rows = { posts: [], comments: [] };
      for (const exchange of exchangesOf(facts.file))
        if (exchange.response.status === 200)
          collect(facts.raw_json ? exchange.response.body : unescaped(exchange.response.body), rows);
      const posts = rows.posts.flatMap((row) => mapPost(row) ?? []);
      const comments = rows.comments.flatMap((row) => {
        const place = {
          post: { id: 't3_x', forum: 'x', permalink: '/' },
          postAuthor: null,
          postCreatedUtc: null,
          depth: 0,
        };
        return mapComment(row, place) ?? [];
      });
      // Rows with only ids and dates are neither posts nor comments.
      expect(comments).toHaveLength(rows.comments.filter((row) => commentId(row) !== null).length);
      expect(new Set(posts.map((post) => post.id)).size).toBe(facts.posts);
      expect(new Set(comments.map((comment) => comment.id)).size).toBe(facts.comments);
      if (facts.posts > 0) expect(idsHash(posts.map((post) => post.id))).toBe(facts.post_ids_sha256);
      if (facts.comments > 0)
        expect(idsHash(comments.map((comment) => comment.id))).toBe(facts.comment_ids_sha256);
      for (const post of posts) {
        for (const text of [post.title, post.selftext, post.author, post.flair])
          expect(storable(text)).toBe(true);
        expect(post.permalink).toMatch(/^\//);
        // Without escaping, an entity is what the author typed.
        if (!facts.raw_json) expect(`${post.title} ${post.flair}`).not.toMatch(ENTITY);
        expect(post.mediaUrls.join(' ')).not.toContain('&amp;');
        expect(Number.isFinite(post.createdUtc.getTime())).toBe(true);
      }
      for (const comment of comments) expect(storable(comment.body)).toBe(true);
    },
  );
});

import { commentId, mapComment, mapPost } from '../../src/platforms/reddit/mapper.js';
import { asArray, asObject, unescaped, type WireObject } from '../../src/platforms/http/response-parsing.js';
import { asThing } from '../../src/platforms/reddit/wire.js';
import { describeRecordings, exchangesOf, idsHash, readJson } from './replay.js';

interface Expected {
  file: string;
  posts: number;
  comments: number;
  post_ids_sha256?: string;
  comment_ids_sha256?: string;
  /** Whether texts were recorded without escaping. */
  raw_json: boolean;
}

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

/** The figures of the mapped rows of a file, and each text or address that is not as it should be. */
function mappedOf({ file, raw_json: isRaw }: Expected) {
  const rows: Rows = { posts: [], comments: [] };
  for (const { response } of exchangesOf(file))
    if (response.status === 200) collect(isRaw ? response.body : unescaped(response.body), rows);
  const posts = rows.posts.flatMap((row) => mapPost(row) ?? []);
  const place = {
    post: { id: 't3_x', forum: 'x', permalink: '/' },
    postAuthor: null,
    postCreatedUtc: null,
    depth: 0,
  };
  const comments = rows.comments.flatMap((row) => mapComment(row, place) ?? []);
  const figures = {
    mapped: comments.length,
    ...{
      posts: new Set(posts.map(({ id }) => id)).size,
      comments: new Set(comments.map(({ id }) => id)).size,
    },
    ...(posts.length > 0 && { post_ids_sha256: idsHash(posts.map(({ id }) => id)) }),
    ...(comments.length > 0 && { comment_ids_sha256: idsHash(comments.map(({ id }) => id)) }),
  };
  const wrong = [
    ...posts.flatMap(({ title, selftext, author, flair }) => [title, selftext, author, flair]),
    ...comments.map(({ body }) => body),
  ].filter((text) => !storable(text));
  for (const { title, flair, permalink, mediaUrls, createdUtc } of posts) {
    if (!permalink.startsWith('/')) wrong.push(permalink);
    // Without escaping, an entity is what the author typed.
    if (!isRaw && ENTITY.test(`${title} ${flair}`)) wrong.push(title);
    if (mediaUrls.join(' ').includes('&amp;')) wrong.push(...mediaUrls);
    if (!Number.isFinite(createdUtc.getTime())) wrong.push(String(createdUtc));
  }
  return { rows: rows.comments, figures, wrong };
}

describeRecordings('every recorded post and comment', () => {
  it('is mapped', () => {
    const all = Object.entries(readJson<Record<string, Expected>>('expected.json'));
    expect(all.length).toBeGreaterThan(50);
    for (const [name, expected] of all.filter(([, { posts, comments }]) => posts + comments > 0)) {
      const { rows, figures, wrong } = mappedOf(expected);
      const { posts, comments, post_ids_sha256, comment_ids_sha256 } = expected;
      expect({ name, ...figures, wrong }).toEqual({
        name,
        // Rows with only ids and dates are neither posts nor comments.
        mapped: rows.filter((row) => commentId(row) !== null).length,
        ...{ posts, comments },
        ...(posts > 0 && { post_ids_sha256 }),
        ...(comments > 0 && { comment_ids_sha256 }),
        wrong: [],
      });
    }
  });
});

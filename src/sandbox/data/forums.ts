import { MAXIMUM_COMMENTS, MAXIMUM_FORUMS, MAXIMUM_POSTS } from './numbered-ids.js';

/** Kinds of generated posts. */
export type PostKind = 'link' | 'self' | 'image' | 'gallery' | 'video' | 'crosspost';

/** Subjects with a vocabulary of their own. */
export const SUBJECTS = ['technology', 'programming', 'questions', 'pictures'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Options of a forum. Defaults are those of `technology`, with 1,000 posts. */
export interface ForumOptions {
  /** Posts that exist at the epoch. */
  posts?: number;
  /** Seconds between two posts. */
  intervalSeconds?: number;
  /** Exactly this many comments under every post. Default: none to hundreds, as on the platform. */
  commentsPerPost?: number;
  /** Relative frequencies of the kinds of posts. */
  kinds?: Partial<Record<PostKind, number>>;
  /** Chooses the vocabulary of the texts. */
  subject?: Subject;
  /** Share of posts that listings leave out, so that pages have fewer posts than the limit. */
  hiddenShare?: number;
}

/** A generated forum with every option resolved. */
export interface Forum {
  /** From 1, part of every id. */
  number: number;
  name: string;
  posts: number;
  intervalSeconds: number;
  commentsPerPost: number | null;
  typicalComments: number;
  kinds: readonly (readonly [PostKind, number])[];
  subject: Subject;
  hiddenShare: number;
  subscribers: number;
}

type Defaults = Required<Omit<ForumOptions, 'commentsPerPost'>> & { typicalComments: number };

const TECHNOLOGY: Defaults = {
  posts: 12_500,
  intervalSeconds: 300,
  typicalComments: 18,
  kinds: { link: 56, self: 27, image: 8, gallery: 2, video: 3, crosspost: 4 },
  subject: 'technology',
  hiddenShare: 0,
};

const BUILT_IN: Record<string, Defaults> = {
  technology: TECHNOLOGY,
  programming: {
    posts: 6_000,
    intervalSeconds: 900,
    typicalComments: 12,
    kinds: { link: 50, self: 45, image: 2, crosspost: 3 },
    subject: 'programming',
    hiddenShare: 0.02,
  },
  askanything: {
    posts: 8_000,
    intervalSeconds: 420,
    typicalComments: 28,
    kinds: { self: 1 },
    subject: 'questions',
    hiddenShare: 0,
  },
  pictures: {
    posts: 4_000,
    intervalSeconds: 1_200,
    typicalComments: 9,
    kinds: { image: 55, gallery: 24, video: 19, crosspost: 2 },
    subject: 'pictures',
    hiddenShare: 0,
  },
};

/**
 * The built-in forums, followed by the additional ones. An entry with the name of a built-in forum overrides its
 * options.
 */
export function resolveForums(own: Record<string, ForumOptions> = {}): Forum[] {
  const names = [
    ...new Set([...Object.keys(BUILT_IN), ...Object.keys(own).map((name) => name.toLowerCase())]),
  ];
  if (names.length > MAXIMUM_FORUMS) throw new RangeError(`at most ${MAXIMUM_FORUMS} forums`);
  const byName = new Map(Object.entries(own).map(([name, options]) => [name.toLowerCase(), options]));
  return names.map((name, position) => {
    const options = byName.get(name) ?? {};
    const defaults = BUILT_IN[name] ?? { ...TECHNOLOGY, posts: 1_000 };
    const posts = options.posts ?? defaults.posts;
    if (posts > MAXIMUM_POSTS / 2) throw new RangeError(`${name}: at most ${MAXIMUM_POSTS / 2} posts`);
    const commentsPerPost = options.commentsPerPost ?? null;
    if (commentsPerPost !== null && commentsPerPost > MAXIMUM_COMMENTS)
      throw new RangeError(`${name}: at most ${MAXIMUM_COMMENTS} comments per post`);
    return {
      number: position + 1,
      name,
      posts,
      intervalSeconds: Math.max(1, options.intervalSeconds ?? defaults.intervalSeconds),
      commentsPerPost,
      typicalComments: defaults.typicalComments,
      kinds: Object.entries(options.kinds ?? defaults.kinds) as [PostKind, number][],
      subject: options.subject ?? defaults.subject,
      hiddenShare: options.hiddenShare ?? defaults.hiddenShare,
      subscribers: 20_000 + posts * 37,
    };
  });
}

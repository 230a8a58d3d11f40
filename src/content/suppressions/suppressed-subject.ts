import { SOURCES } from '../../platforms/registry.js';
import type { Subject } from '../../tenants/ports/erasure-subject.js';

/** Names that stand for no account. */
const NO_AUTHOR: ReadonlySet<string> = new Set(['', '[deleted]', '[removed]']);

/** Whether a name is that of an account. */
export const isAccount = (author: string): boolean => !NO_AUTHOR.has(author.toLowerCase());

/** Whether names of accounts that differ only in case are different accounts of the source; false for all sources. */
export const isCaseSensitive = (source: string | null): boolean =>
  source !== null && (SOURCES.content(source)?.isCaseSensitive('user') ?? false);

/** The text that is hashed for a subject. */
export function subjectText(subject: Subject): string {
  return subject.kind === 'author'
    ? JSON.stringify([
        'author',
        subject.source,
        isCaseSensitive(subject.source) ? subject.author : subject.author.toLowerCase(),
      ])
    : JSON.stringify([subject.kind, subject.id]);
}

/** The subjects that refuse a post when one of them is suppressed. */
export const subjectsOfPost = ({ id, author }: { id: string; author: string }): Subject[] => [
  { kind: 'post', id },
  ...authorsOf(id, author),
];

/** The subjects that refuse a comment when one of them is suppressed; its post is one of them. */
export const subjectsOfComment = ({
  commentId,
  postId,
  author,
}: {
  commentId: string;
  postId: string;
  author: string;
}): Subject[] => [
  { kind: 'comment', id: commentId },
  { kind: 'post', id: postId },
  ...authorsOf(commentId, author),
];

function authorsOf(id: string, author: string): Subject[] {
  if (!isAccount(author)) return [];
  return [null, ...SOURCES.sourcesOf(id)].map((source) => ({ kind: 'author', source, author }));
}

/** Kinds of subjects that can be erased and suppressed. */
export const SUBJECT_KINDS = ['author', 'post', 'comment'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** An author of one source, or of all when `source` is null. */
export interface AuthorSubject {
  kind: 'author';
  source: string | null;
  author: string;
}

/** An author, a post or a comment. Ids are those of the platform. */
export type Subject = AuthorSubject | { kind: 'post'; id: string } | { kind: 'comment'; id: string };

/** The name of an author, or the id of a post or comment. */
export const nameOfSubject = (subject: Subject): string =>
  subject.kind === 'author' ? subject.author : subject.id;

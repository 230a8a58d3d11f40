import type { DumpRow } from '../../platforms/reddit/archive/dump-rows.js';
import type { TargetType } from '../../platforms/platform.js';
import { archiveForum } from '../../platforms/mail/mail-target.js';
import { parseRedditTarget } from '../../platforms/reddit/reddit-names.js';

/** Which records of a dump to import. Names compare case-insensitively; an empty list selects all. */
export interface DumpSelection {
  forums: readonly string[];
  authors: readonly string[];
}

/**
 * The names of a comma-separated list in any spelling (`r/technology`), or the first that is no such name. One forum may be
 * the archive of a mailing list.
 */
export function selectedNames(type: TargetType, list: string): { names: string[] } | { refused: string } {
  const archive = type === 'forum' ? archiveForum(list) : null;
  if (archive !== null) return { names: [archive] };
  const names: string[] = [];
  for (const name of list.split(',').map((part) => part.trim())) {
    const parsed = parseRedditTarget({ type, name });
    if ('refusal' in parsed) return { refused: name };
    if (name !== '') names.push(parsed.target.name);
  }
  return { names };
}

/** Selects records. Most of the others are skipped by a text search before they are parsed. */
export class DumpFilter {
  private readonly patterns: RegExp[];
  private readonly forums: ReadonlySet<string>;
  private readonly authors: ReadonlySet<string>;

  constructor({ forums, authors }: DumpSelection) {
    this.forums = new Set(forums.map((name) => name.toLowerCase()));
    this.authors = new Set(authors.map((name) => name.toLowerCase()));
    this.patterns = [
      ...(forums.length > 0 ? [patternOf('subreddit', forums)] : []),
      ...(authors.length > 0 ? [patternOf('author', authors)] : []),
    ];
  }

  /** False when the record on this line is certainly not selected. */
  mayMatch(line: string): boolean {
    return this.patterns.every((pattern) => pattern.test(line));
  }

  matches(row: Exclude<DumpRow, { kind: 'advertisement' }>): boolean {
    if (row.kind === 'post' && this.forums.size > 0 && !this.forums.has(row.post.forum.toLowerCase()))
      return false;
    const { author } = row.kind === 'post' ? row.post : row.comment;
    return this.authors.size === 0 || this.authors.has(author.toLowerCase());
  }
}

function patternOf(key: string, values: readonly string[]): RegExp {
  const escaped = values.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`"${key}"\\s*:\\s*"(?:${escaped.join('|')})"`, 'i');
}

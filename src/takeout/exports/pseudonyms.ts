import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { chunksOf } from '../../common/collections.js';
import { mapInSlices } from '../../common/slices.js';
import { stopWordsOf } from '../../text/language/stop-words.js';
import { SOURCES } from '../../platforms/registry.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { isAccount } from '../../content/suppressions/suppressed-subject.js';
import { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import {
  EXPORTED_TABLES,
  type ExportedKind,
  type ExportedRow,
  type ExportedValue,
} from './exported-table.js';
import { collectNames, hasWord, replaceNames, wordsOfNames } from './names-in-text.js';

const AUTHOR = 'author';
const KEYWORDS = 'keywords';
/** Fields in which names occur. */
const TEXTS: ReadonlySet<string> = new Set([
  'forum',
  'title',
  'permalink',
  'url',
  'selftext',
  'flair',
  'media_urls',
  KEYWORDS,
  'body',
  'post_permalink',
]);
/** The field from which the source follows. */
const ID = { posts: 'id', comments: 'comment_id' } as const;
/** Words of one export of which it is remembered whether an account has them as its name; about 20 MB. */
const REMEMBERED = 200_000;
const NAMES_PER_QUERY = 2_000;
const DIGITS = 16;

/**
 * Replaces the names of accounts in exported rows by pseudonyms: a keyed hash that is the same in all exports of a workspace,
 * and differs between workspaces and sources. Deleting the workspace destroys the key.
 */
@Injectable()
export class Pseudonyms {
  constructor(
    private readonly keys: WorkspaceKeys,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
  ) {}

  /**
   * Yields the rows without names: in author fields, in mentions, and every word in a text that is the name of an author of
   * the workspace, unless it is a common English word. Keywords with a word of a name of the row are left out.
   */
  async *replace(
    workspaceId: string,
    kind: ExportedKind,
    batches: AsyncIterable<ExportedRow[]>,
  ): AsyncGenerator<ExportedRow[], void, undefined> {
    const key = await this.keys.get(workspaceId, 'pseudonyms');
    const known = new LRUCache<string, boolean>({ max: REMEMBERED });
    const common = stopWordsOf('en');
    const { fields } = EXPORTED_TABLES[kind];
    const idAt = fields.findIndex(({ name }) => name === ID[kind]);
    const authorAt = fields.findIndex(({ name }) => name === AUTHOR);
    const textsAt = fields.flatMap(({ name }, index) => (TEXTS.has(name) ? [index] : []));
    const keywordsAt = fields.findIndex(({ name }) => name === KEYWORDS);

    for await (const rows of batches) {
      const names = new Set<string>();
      await mapInSlices(rows, (row) => textsAt.forEach((at) => collect(row[at]!, names)));
      const isAuthor = await this.authorsAmong(workspaceId, [...names], known);
      yield await mapInSlices(rows, (row) => {
        const source = SOURCES.ofId(String(row[idAt]))?.source ?? null;
        const pseudonym = (name: string): string =>
          `anon-${createHmac('sha256', key)
            .update(JSON.stringify([source, name]))
            .digest('hex')
            .slice(0, DIGITS)}`;
        const author = String(row[authorAt]);
        const named = new Set(isAccount(author) ? [author] : []);
        const replaced = (text: string): string =>
          replaceNames(text, (written, isMention) => {
            const name = written.toLowerCase();
            if (!isMention && (!isAuthor.has(name) || common.has(name))) return null;
            named.add(written);
            return pseudonym(name);
          });
        const copy: ExportedValue[] = [...row];
        copy[authorAt] = isAccount(author) ? pseudonym(author.toLowerCase()) : author;
        for (const at of textsAt) copy[at] = mapTexts(row[at]!, replaced);
        if (keywordsAt !== -1) {
          const words = wordsOfNames(named);
          copy[keywordsAt] = (row[keywordsAt] as string[]).filter((keyword) => !hasWord(keyword, words));
        }
        return copy;
      });
    }
  }

  /** Those of the names that an author of a post or comment has. */
  private async authorsAmong(
    workspaceId: string,
    names: readonly string[],
    known: LRUCache<string, boolean>,
  ): Promise<Set<string>> {
    const found = new Set(names.filter((name) => known.get(name)));
    const unknown = names.filter((name) => !known.has(name));
    for (const some of chunksOf(unknown, NAMES_PER_QUERY)) {
      const authors = new Set([
        ...(await this.posts.authorsAmong(workspaceId, some)),
        ...(await this.comments.authorsAmong(workspaceId, some)),
      ]);
      for (const name of some) known.set(name, authors.has(name));
      for (const name of authors) found.add(name);
    }
    return found;
  }
}

function mapTexts(value: ExportedValue, map: (text: string) => string): ExportedValue {
  return typeof value === 'string' ? map(value) : Array.isArray(value) ? value.map(map) : value;
}

function collect(value: ExportedValue, names: Set<string>): void {
  mapTexts(value, (text) => {
    collectNames(text, names);
    return text;
  });
}

import { readFileSync } from 'node:fs';
import type { CommentsRepository } from '../../content/comments/comments.repository.js';
import type { PostsRepository } from '../../content/posts/posts.repository.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import type { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import { sharedPath, withShared } from '../../../test/support/shared-folder.js';
import { EXPORTED_TABLES, type ExportedKind, type ExportedValue } from './exported-table.js';
import { Pseudonyms } from './pseudonyms.js';

const REPORTED = 'reports/api/disclosed/pseudonyms.ndjson';
const NAMES = ['grey_lake-walker', 'GreyLakeWalker', 'grey.lake_walker'];
/** The ways in which texts write a character of a name that is no letter. */
const SPELLINGS: Record<string, (character: string) => string> = {
  plain: (character) => character,
  Markdown: (character) => `\\${character}`,
  'an address': (character) => `%${character.charCodeAt(0).toString(16)}`,
  'an address in an address': (character) => `%25${character.charCodeAt(0).toString(16)}`,
  decimal: (character) => `&#${character.charCodeAt(0)};`,
  hexadecimal: (character) => `&#x${character.charCodeAt(0).toString(16)};`,
  'HTML twice': (character) => `&amp;#${character.charCodeAt(0)};`,
  'invisible characters': (character) => `\u200b${character}\u2060`,
};
const WITHOUT_TEXT = {
  ...{ id: 't3_1', comment_id: 't1_1', post_type: 'self', sentiment_label: 'neutral', language: 'en' },
  ...{ model_label: 'neutral', sentiment_source: 'model' },
};

describe('Pseudonyms', () => {
  const authorsAmong = (names: readonly string[], author: string) =>
    Promise.resolve(names.filter((name) => name === author.toLowerCase()));

  /** The fields of a record that has `text` in every field with texts. */
  async function exported(kind: ExportedKind, author: string, text: string, given: object = {}) {
    const among = (_workspace: string, names: readonly string[]) => authorsAmong(names, author);
    const pseudonyms = new Pseudonyms(
      { get: () => Promise.resolve(Buffer.from('key')) } as unknown as WorkspaceKeys,
      { authorsAmong: among } as PostsRepository,
      { authorsAmong: among } as CommentsRepository,
    );
    const { fields } = EXPORTED_TABLES[kind];
    const values: Record<string, ExportedValue> = { ...WITHOUT_TEXT, author, ...given };
    const row = fields.map(({ name, type, isArray }) => {
      const value = type === 'text' && !/_?id$/.test(name) ? text : null;
      return values[name] ?? (isArray && value !== null ? [value] : value);
    });
    const batches = (async function* () {
      yield await Promise.resolve([row]);
    })();
    const { value } = await pseudonyms.replace('w', kind, batches).next();
    const [read] = value as unknown as ExportedValue[][];
    return Object.fromEntries(fields.map(({ name }, at) => [name, read![at]!]));
  }
  const keywordsOf = (text: string): string[] => TextAnalyzer.load().analyzePost(text, text).keywords;

  it.each(Object.keys(SPELLINGS))(
    'leaves nothing of a name in any field, written as %s',
    async (spelling) => {
      for (const name of NAMES) {
        const written = name.replace(/[._-]/g, SPELLINGS[spelling]!);
        const text = `u/${written} and ${written.toUpperCase()} (/user/${written}) like harbours`;
        for (const kind of ['posts', 'comments'] as const) {
          const row = await exported(kind, name, text);
          expect(Object.entries(row).filter(([, value]) => /grey|lake|walker/i.test(String(value)))).toEqual(
            [],
          );
          const body = String(row[kind === 'posts' ? 'selftext' : 'body']);
          expect(body.replaceAll(String(row.author), 'X')).toBe('u/X and X (/user/X) like harbours');
        }
      }
    },
  );

  it.each(NAMES)('leaves out the keywords with a part of %s', async (name) => {
    const text = `${name} wrote of harbours. #${name} wrote of harbours again`;
    const keywords = keywordsOf(text);
    expect(keywords.filter((one) => /grey|lake|walker/.test(one))).not.toEqual([]);
    for (const author of [name, 'someone'])
      expect(await exported('posts', name, text, { author, keywords })).toMatchObject({
        keywords: keywords.filter((one) => !/grey|lake|walker/.test(one)),
      });
  });

  it('leaves out the keywords with a part of the name of who wrote the record', async () => {
    const keywords = ['lake', 'calm lakes'];
    const row = await exported('posts', 'Grey_Lake', 'Calm', { keywords });
    expect(row.keywords).toEqual(['calm lakes']);
  });

  it('keeps the keywords of a record without an author', async () => {
    const row = await exported('posts', '[deleted]', 'gone', { keywords: ['deleted'] });
    expect(row).toMatchObject({ author: '[deleted]', keywords: ['deleted'] });
  });

  withShared(REPORTED).it('leaves nothing of the names that were reported', async () => {
    const rows = readFileSync(sharedPath(REPORTED), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; text: string });
    for (const { name, text } of rows) {
      const parts = new RegExp(name.split('_').join('|'), 'i');
      const keywords = keywordsOf(text);
      const row = await exported('posts', name, text, { keywords });
      expect(Object.values(row).filter((value) => parts.test(String(value)))).toEqual([]);
      expect(row.selftext).toContain(row.author);
      expect(row.keywords).toEqual(keywords.filter((keyword) => !parts.test(keyword)));
    }
  });
});

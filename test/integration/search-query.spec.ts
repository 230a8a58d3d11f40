import fc from 'fast-check';
import type pg from 'pg';
import { parseQuery } from '../../src/modules/search/query/parse-query.js';
import { queryCondition, rankingWords, STOP_WORDS } from '../../src/modules/search/query/query-condition.js';
import type { QueryNode } from '../../src/modules/search/query/query-tree.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database.js';

/** None is stemmed, a stop word, or a prefix of another, except `tab`. */
const WORDS = ['alpha', 'beta', 'delta', 'kilo', 'tab', 'tablet'];
const AUTHORS = ['ann', 'Bob'];

interface Row {
  id: number;
  title: string[];
  body: string[];
  author: string;
}

const COLUMNS = { author: { sql: 'author' }, flair: { sql: 'flair' } };

describe('a query in Postgres', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let rows: Row[];

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect(database.url);
    await client.query(`CREATE TEMPORARY TABLE texts (id integer, author text, flair text, search tsvector)`);
    rows = fc.sample(
      fc.record({
        id: fc.constant(0),
        title: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
        body: fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }),
        author: fc.constantFrom(...AUTHORS),
      }),
      { numRuns: 300, seed: 7 },
    );
    rows.forEach((row, index) => (row.id = index));
    for (const { id, title, body, author } of rows)
      await client.query(
        `INSERT INTO texts VALUES ($1, $2, '', setweight(to_tsvector('english', $3), 'A') || to_tsvector('english', $4))`,
        [id, author, title.join(' '), body.join(' ')],
      );
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function found(node: QueryNode | null): Promise<number[]> {
    const parameters: unknown[] = [];
    const condition = queryCondition(node, COLUMNS, (value) => `$${parameters.push(value)}`);
    const result = await client.query<{ id: number }>(
      `SELECT id FROM texts WHERE ${condition} ORDER BY id`,
      parameters,
    );
    return result.rows.map(({ id }) => id);
  }

  it('finds the same rows as a direct evaluation of the tree', async () => {
    const word = fc.constantFrom(...WORDS);
    const { tree } = fc.letrec<{ tree: QueryNode }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.record<QueryNode & { kind: 'text' }>({
          kind: fc.constant('text'),
          text: fc.oneof(
            word,
            fc.tuple(word, word).map((words) => words.join(' ')),
          ),
          isPrefix: fc.constant(false),
          inTitle: fc.boolean(),
        }),
        fc.constant<QueryNode>({ kind: 'text', text: 'tab', isPrefix: true, inTitle: false }),
        fc
          .constantFrom('ANN', 'bob', 'zoe')
          .map<QueryNode>((value) => ({ kind: 'field', field: 'author', value })),
        fc.constant<QueryNode>({ kind: 'field', field: 'forum', value: 'x' }),
        tie('tree').map<QueryNode>((operand) => ({ kind: 'not', operand })),
        fc
          .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
          .map<QueryNode>(([kind, operands]) => ({ kind, operands })),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (node) => {
        expect(await found(node)).toEqual(rows.filter((row) => matches(node, row)).map(({ id }) => id));
      }),
      { numRuns: 400, seed: 11 },
    );
  }, 60_000);

  it('ignores stop words of the text configuration', async () => {
    expect(await found(parseQuery('the alpha'))).toEqual(await found(parseQuery('alpha')));
    expect(await found(parseQuery('the author:ann'))).toEqual(await found(parseQuery('author:ann')));
    expect(await found(parseQuery('the'))).toEqual([]);
    expect(await found(parseQuery(''))).toEqual([]);
  });

  it('finds words that begin with a stop word', async () => {
    const words = ['overview', 'Thank you', 'thane', 'outing than', 'over and over'];
    const ids = words.map((_, index) => 1_000 + index);
    for (const [index, text] of words.entries())
      await client.query(
        `INSERT INTO texts VALUES ($1, 'ann', '', setweight(to_tsvector('english', $2), 'A'))`,
        [ids[index], text],
      );
    const foundBy = async (query: string) =>
      (await found(parseQuery(query))).filter((id) => id >= 1_000).map((id) => words[id - 1_000]);
    expect(await foundBy('over*')).toEqual(['overview']);
    expect(await foundBy('THAN*')).toEqual(['Thank you', 'thane']);
    expect(await foundBy('title:out* -than* OR over* author:ann')).toEqual(['overview', 'outing than']);
    expect(await foundBy('over* 7kept7*')).toEqual([]);
    await client.query('DELETE FROM texts WHERE id >= 1000');
  });

  it('knows all stop words of the text configuration', async () => {
    const { rows: files } = await client.query<{ text: string }>(
      `SELECT pg_read_file(setting || '/tsearch_data/english.stop') AS text FROM pg_config WHERE name = 'SHAREDIR'`,
    );
    expect([...STOP_WORDS].sort()).toEqual(files[0]!.text.trim().split('\n').sort());
  });

  it('is parsed by Postgres whatever a client sends', async () => {
    const pieces = [
      '(',
      ')',
      '-',
      '"',
      "'",
      '\\',
      ':',
      '*',
      '&',
      '|',
      '!',
      '<->',
      ' ',
      'OR',
      'title:',
      'the',
      'é',
      '\u{1f600}',
    ];
    const noise = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 3 })), {
        maxLength: 40,
      })
      .map((parts) => parts.join('').replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(noise, async (text) => {
        const node = parseQuery(text);
        await found(node);
        await client.query(`SELECT ts_rank('', to_tsquery('english', $1))`, [rankingWords(node)]);
      }),
      { numRuns: 500, seed: 13 },
    );
    for (const long of ['a'.repeat(1_000), '('.repeat(1_000), '-('.repeat(500), 'a OR '.repeat(200)])
      await found(parseQuery(long));
  }, 60_000);
});

function matches(node: QueryNode, row: Row): boolean {
  switch (node.kind) {
    case 'text': {
      const fields = node.inTitle ? [row.title] : [row.title, row.body];
      const isHere = (words: string[], at: number) =>
        node.text.split(' ').every((word, index) => {
          const found = words[at + index] ?? '';
          return node.isPrefix ? found.startsWith(word) : found === word;
        });
      return fields.some((words) => words.some((_, at) => isHere(words, at))) || spans(node, row, isHere);
    }
    case 'field':
      return node.field === 'author' && row.author.toLowerCase() === node.value.toLowerCase();
    case 'not':
      return !matches(node.operand, row);
    case 'and':
      return node.operands.every((operand) => matches(operand, row));
    case 'or':
      return node.operands.some((operand) => matches(operand, row));
  }
}

/** Postgres numbers positions consecutively, so a phrase may begin in the title and end in the text. */
function spans(
  { inTitle }: QueryNode & { kind: 'text' },
  { title, body }: Row,
  isHere: (words: string[], at: number) => boolean,
): boolean {
  const words = [...title, ...body];
  return !inTitle && words.some((_, at) => isHere(words, at));
}

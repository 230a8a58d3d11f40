import { DataSource } from 'typeorm';
import { aComment, storeComments } from '../../factories/comments.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication } from '../../support/application.js';
import { queryParquet } from '../../support/duckdb.js';

const POSTS = 2_500;
const COMMENTS = 1_200;
const TRICKY = {
  title: '=1+1, "quoted" \u{1f50b}',
  url: null,
  selftext: 'a\r\nb',
  mediaUrls: ['https://a.example/1.jpg', 'with "quotes" and, commas'],
  keywords: [],
  createdUtc: new Date('2026-02-03T04:05:06.789Z'),
};

type Row = Record<string, unknown>;

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('the formats of streamed exports', () => {
  beforeAll(async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: POSTS }, (_, n) => aPost(n, n === 7 ? TRICKY : {})),
    );
    await storeComments(
      service,
      workspace.workspaceId,
      Array.from({ length: COMMENTS }, (_, n) =>
        aComment(
          n,
          n === 3
            ? { body: 'A "quote"\nand a line', postPermalink: '/r/science/comments/1/x/', forum: 'science' }
            : {},
        ),
      ),
    );
  });

  async function download(path: string): Promise<{ headers: Headers; bytes: Buffer; text: string }> {
    const response = await fetch(service.url + workspace.path(path), {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.status === 200 ? '' : bytes.toString()]).toEqual([200, '']);
    return { headers: response.headers, bytes, text: bytes.toString() };
  }

  const json = async (path: string): Promise<Row[]> => JSON.parse((await download(path)).text) as Row[];

  describe.each([
    ['posts', POSTS],
    ['comments', COMMENTS],
  ])('of %s', (kind, count) => {
    it('contain the same records as JSON, NDJSON and Parquet', async () => {
      const records = await json(`/exports/${kind}?format=json`);
      expect(records).toHaveLength(count);
      const ndjson = await download(`/exports/${kind}?format=ndjson`);
      expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(ndjson.headers.get('content-disposition')).toMatch(
        new RegExp(`"${kind}-\\d{4}-\\d\\d-\\d\\d.ndjson"`),
      );
      expect(
        ndjson.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Row),
      ).toEqual(records);
      const parquet = await download(`/exports/${kind}?format=parquet`);
      expect(parquet.headers.get('content-type')).toBe('application/vnd.apache.parquet');
      expect(parquet.headers.get('content-encoding')).toBeNull();
      const rows = await queryParquet<Row>([parquet.bytes], 'SELECT * FROM files');
      expect(rows.map(fromDuckDb)).toEqual(records);
    });

    it('contain every field as CSV', async () => {
      const [record] = await json(`/exports/${kind}?format=json`);
      const { text } = await download(`/exports/${kind}?format=csv`);
      expect(text.split('\r\n')[0]).toBe(
        Object.keys(record!)
          .map((field) => `"${field}"`)
          .join(','),
      );
    });

    it('are complete files even without rows', async () => {
      const nothing = `/exports/${kind}?forum=nowhere&format=`;
      expect((await download(`${nothing}ndjson`)).text).toBe('');
      expect((await download(`${nothing}json`)).text).toBe('[]\n');
      const { bytes } = await download(`${nothing}parquet`);
      expect(await queryParquet([bytes], 'SELECT count(*)::INTEGER AS rows FROM files')).toEqual([
        { rows: 0 },
      ]);
    });
  });

  it('give Parquet columns their types', async () => {
    const { bytes } = await download('/exports/posts?format=parquet');
    const types = await queryParquet<{ column_name: string; column_type: string }>([bytes], 'DESCRIBE files');
    expect(Object.fromEntries(types.map((row) => [row.column_name, row.column_type]))).toMatchObject({
      id: 'VARCHAR',
      created_utc: 'TIMESTAMP WITH TIME ZONE',
      score: 'INTEGER',
      upvote_ratio: 'DOUBLE',
      is_nsfw: 'BOOLEAN',
      media_urls: 'VARCHAR[]',
      keywords: 'VARCHAR[]',
      scraped_at: 'TIMESTAMP WITH TIME ZONE',
    });
    const comments = await download('/exports/comments?format=parquet');
    const [id] = await queryParquet<{ column_type: string }>(
      [comments.bytes],
      'DESCRIBE SELECT id FROM files',
    );
    expect(id!.column_type).toBe('BIGINT');
  });

  it('give DuckDB the same sums as Postgres', async () => {
    const sums = `SELECT count(*)::int AS rows, sum(score)::int AS score, round(sum(upvote_ratio)::numeric(20, 6), 6)::float8 AS ratio,
      max(created_utc) = '2026-02-03T04:05:06.789Z' AS newest`;
    const [expected] = await service.app
      .get(DataSource)
      .query<Row[]>(
        `${sums}, sum(cardinality(keywords))::int AS keywords FROM posts WHERE workspace_id = $1`,
        [workspace.workspaceId],
      );
    const { bytes } = await download('/exports/posts?format=parquet');
    expect(await queryParquet([bytes], `${sums}, sum(len(keywords))::int AS keywords FROM files`)).toEqual([
      expected,
    ]);
  });

  it('accept the filters and orders of the list of comments', async () => {
    for (const query of [
      'q=chargers&min_score=5&max_score=20&sort_by=relevance',
      'post_id=t3_000001&sort_by=thread&sort_order=asc&author=author2&max_score=300',
      'forum=science&sentiment=positive',
      'created_after=2026-01-01T00:10:00Z&created_before=2026-01-01T00:12:00Z&sort_by=score',
    ]) {
      const { text } = await download(`/comments?limit=200&${query}`);
      const { comments } = JSON.parse(text) as { comments: Row[] };
      expect(comments.length).toBeGreaterThan(0);
      expect(await json(`/exports/comments?format=json&${query}`)).toEqual(
        comments.map((comment) => ({
          ...comment,
          language: 'en',
          model_label: comment.sentiment_label,
          sentiment_source: 'model',
        })),
      );
    }
  });

  it.each([
    ['/exports/comments?sort_by=thread', 'sort_by'],
    ['/exports/comments?format=xml', 'format'],
    ['/exports/comments?offset=3', 'offset'],
    ['/exports/comments?flair=x', 'flair'],
  ])('refuse %s', async (path, field) => {
    const response = await fetch(service.url + workspace.path(path), {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ field }] }]);
  });
});

/** A row of DuckDB's JSON in the API's format: 64-bit integers as numbers, times as ISO 8601. */
function fromDuckDb(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => {
      if (field === 'id' && typeof value === 'string' && /^\d+$/.test(value)) return [field, Number(value)];
      if (!/_utc$|_at$/.test(field)) return [field, value];
      return [field, new Date(String(value).replace(/\+00$/, 'Z').replace(' ', 'T')).toISOString()];
    }),
  );
}

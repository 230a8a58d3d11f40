import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { PART_LIMITS } from '../../src/takeout/datasets/dataset-files.js';
import type { DatasetDto } from '../../src/takeout/datasets/dto/dataset.dto.js';
import type { AgreementDto } from '../../src/content/labels/dto/label.dto.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { queryParquet } from '../support/duckdb.js';
import { until } from '../support/until.js';

const POSTS = 250;
const PART_ROWS = 100;
const MORE_POSTS = 2_000;
/** How often all posts change after they were frozen. */
const ROUNDS = 10;

describe('a dataset', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  const { rows } = PART_LIMITS;

  beforeAll(async () => {
    PART_LIMITS.rows = PART_ROWS;
    service = await startTestApplication({ ROLES: 'api,worker' });
    workspace = await service.createWorkspace();
    const posts = Array.from({ length: POSTS }, (_one, number) =>
      aPost(number, { title: number % 2 === 0 ? 'A battery' : 'A charger', score: number }),
    );
    await storePosts(service, workspace.workspaceId, [
      ...posts,
      aPost(POSTS, { id: 'hn_1', title: 'Other', score: 1 }),
    ]);
  });
  afterAll(() => {
    PART_LIMITS.rows = rows;
  });

  const send = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);
  async function frozen(body: object): Promise<DatasetDto> {
    const { id } = await send<DatasetDto>('POST', '/datasets', body);
    return until(
      () => send<DatasetDto>('GET', `/datasets/${id}`),
      ({ status }) => status === 'completed',
    );
  }
  const filesOf = ({ parts }: DatasetDto): Promise<Buffer[]> =>
    Promise.all(
      parts.map(async ({ path }) => {
        const { body } = await requestAs(
          service,
          workspace,
          'GET',
          path.replace(/^.*?\/datasets/, '/datasets'),
        )
          .buffer()
          .parse(
            (response, done) =>
              void buffer(response as unknown as Readable).then((bytes) => done(null, bytes)),
          )
          .expect(200);
        return body as Buffer;
      }),
    );

  it('has the rows of its search and a manifest', async () => {
    const dataset = await frozen({
      name: 'Batteries',
      of: 'posts',
      q: 'battery',
      filters: { min_score: 10 },
    });
    expect(dataset).toMatchObject({
      q: 'battery',
      filters: { min_score: 10 },
      rows: 120,
      erased_rows: 0,
      manifest: {
        query: { of: 'posts', q: 'battery', filters: { min_score: 10 } },
        frozen_rows: 120,
        sources: [{ source: 'reddit', rows: 120, licence: expect.stringContaining('Reddit') as string }],
        files: [
          { name: 'posts-00001.parquet', rows: 100 },
          { name: 'posts-00002.parquet', rows: 20 },
        ],
      },
    });
    const [found] = await queryParquet<{ rows: string; least: number }>(
      await filesOf(dataset),
      "SELECT count(*) AS rows, min(score) AS least FROM files WHERE title = 'A battery'",
    );
    expect(found).toEqual({ rows: '120', least: 10 });
  });

  it('has the labels of matches and of labellers as columns', async () => {
    const { workspaceId } = workspace;
    const dataSource = service.app.get(DataSource);
    const alert = await send<{ id: string }>('POST', '/alerts', {
      name: 'A',
      keywords: ['battery'],
      channel: 'chat_a',
      channel_config: { webhook_url: 'https://example.com/hook' },
    });
    await dataSource.query(
      `INSERT INTO alert_matches (workspace_id, alert_id, post_id, job_id, keywords, labels)
       VALUES ($1, $2, $3, gen_random_uuid(), '{}', '{urgent,again}')`,
      [workspaceId, alert.id.slice('alert_'.length), aPost(0).id],
    );
    const label = (labeller: string, ...labels: string[]) =>
      send('POST', '/labels', {
        labeller,
        csv: ['id,label', ...labels.map((one, number) => `${aPost(number).id},${one}`)].join('\n'),
      });
    await label('coder_1', 'good', 'good', 'bad', 'bad');
    await label('coder_2', 'good', 'bad', 'bad');
    const dataset = await frozen({ name: 'Labelled', of: 'posts' });
    expect(dataset.manifest!.columns.slice(-3)).toEqual(['match_labels', 'label_coder_1', 'label_coder_2']);
    const found = await queryParquet(
      await filesOf(dataset),
      "SELECT match_labels, label_coder_1, label_coder_2 FROM files WHERE id LIKE 't3%' ORDER BY id LIMIT 5",
    );
    expect(found).toEqual([
      { match_labels: ['again', 'urgent'], label_coder_1: 'good', label_coder_2: 'good' },
      { match_labels: [], label_coder_1: 'good', label_coder_2: 'bad' },
      { match_labels: [], label_coder_1: 'bad', label_coder_2: 'bad' },
      { match_labels: [], label_coder_1: 'bad', label_coder_2: null },
      { match_labels: [], label_coder_1: null, label_coder_2: null },
    ]);
    const agreement = await send<AgreementDto>('GET', '/labels/agreement');
    await requestAs(service, workspace, 'GET', '/labels/agreement?labellers=cid').expect(400);
    expect(agreement).toEqual({
      labellers: ['coder_1', 'coder_2'],
      pairs: [
        {
          labellers: ['coder_1', 'coder_2'],
          records: 3,
          observed: expect.closeTo(2 / 3) as number,
          cohens_kappa: expect.closeTo(0.4) as number,
        },
      ],
      // Of 3 good and 3 bad labels, one pair of 3 differs: 1 - 5 * 2 / 18.
      krippendorffs_alpha: expect.closeTo(4 / 9) as number,
    });
  });

  it('is the same bytes when built again, and after later changes', async () => {
    const dataSource = service.app.get(DataSource);
    const more = Array.from({ length: MORE_POSTS }, (_one, number) => aPost(POSTS + 1 + number));
    await storePosts(service, workspace.workspaceId, more);
    const first = await frozen({ name: 'First', of: 'posts' });
    const hashes = (dataset: DatasetDto) => dataset.parts.map(({ sha256 }) => sha256);
    expect(first.rows).toBe(POSTS + 1 + MORE_POSTS);
    expect(first.parts).toHaveLength(Math.ceil(first.rows / PART_LIMITS.rows));
    const before = await filesOf(first);
    const change = (title: string, score: number) =>
      dataSource.query(`UPDATE posts SET score = score + ${score}, title = ${title}`);
    for (let round = 1; round < ROUNDS; round += 1) await change(`title || ' changed'`, 1);
    const changed = await frozen({ name: 'Changed', of: 'posts' });
    await change(`replace(title, ' changed', '')`, 1 - ROUNDS);
    const again = await frozen({ name: 'Again', of: 'posts' });
    expect(hashes(again)).toEqual(hashes(first));
    await dataSource.query('DELETE FROM posts WHERE score % 3 = 0');
    expect(await send<DatasetDto>('GET', `/datasets/${first.id}`)).toEqual(first);
    const after = await filesOf(first);
    expect(after.map((file, at) => file.equals(before[at]!))).toEqual(before.map(() => true));
    expect(hashes(changed)).not.toEqual(hashes(first));
  });

  it('has one empty file when nothing was found', async () => {
    const dataset = await frozen({ name: 'None', of: 'comments', q: 'nothing' });
    expect(dataset).toMatchObject({ rows: 0, parts: [{ rows: 0 }], manifest: { sources: [] } });
  });

  it('is listed, and deleted with its files', async () => {
    const { datasets, total } = await send<{ datasets: DatasetDto[]; total: number }>('GET', '/datasets');
    expect(datasets).toHaveLength(total);
    for (const { id } of datasets) await send('DELETE', `/datasets/${id}`);
    const folder = join(service.environment.DATA_DIR, 'media/datasets', workspace.workspaceId);
    expect(await readdir(folder).catch(() => [])).toEqual([]);
    await requestAs(service, workspace, 'GET', `/datasets/${datasets[0]!.id}`).expect(404);
  });

  it.each([
    [{ of: 'posts' }, 'name'],
    [{ name: 'a', of: 'authors' }, 'of'],
    [{ name: 'a', of: 'posts', filters: { q: 'a' } }, 'filters.q'],
    [{ name: 'a', of: 'posts', filters: { min_score: 'a' } }, 'filters.min_score'],
  ])('%j is refused', async (body, field) => {
    const { body: problem } = await requestAs(service, workspace, 'POST', '/datasets').send(body).expect(400);
    expect(problem).toMatchObject({ errors: [{ field }] });
  });
});

import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Sql } from '../../src/database/sql.js';
import type { AgreementDto, LabellersDto } from '../../src/content/labels/dto/label.dto.js';
import { LabelStatisticsRepository } from '../../src/content/labels/label-statistics.repository.js';
import { LabelsRepository } from '../../src/content/labels/labels.repository.js';
import type { SearchDatabase } from '../../src/search/search-database.js';
import { ConcurrencyQuotas } from '../../src/tenants/usage/concurrency-quotas.js';
import {
  alphaByDefinition,
  kappaByDefinition,
  type LabelledRecords,
  seededNumbers,
} from '../support/agreement-by-definition.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

let workspace: TestWorkspace;

const service = await startTestApplication({ ROLES: 'api' });
beforeEach(async () => void (workspace = await service.createWorkspace()));

const sql = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
  service.app.get(DataSource).query<Row[]>(text, parameters);
const nameOf = (labeller: number): string => `coder_${String(labeller).padStart(2, '0')}`;
const send = (labeller: string, labels: readonly (readonly [id: string, label: string])[]) =>
  requestAs(service, workspace, 'POST', '/labels').send({
    labeller,
    csv: ['id,label', ...labels.map((row) => row.join(','))].join('\n'),
  });

async function store(records: LabelledRecords): Promise<void> {
  const rows = records.flatMap((given, record) =>
    given.flatMap((label, labeller) => (label === null ? [] : [[nameOf(labeller), `t3_${record}`, label]])),
  );
  await sql('DELETE FROM labels WHERE workspace_id = $1', [workspace.workspaceId]);
  await sql(
    `INSERT INTO labels (workspace_id, labeller, record_id, label)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])`,
    [workspace.workspaceId, ...[0, 1, 2].map((column) => rows.map((row) => row[column]))],
  );
}

describe('the agreement of generated labels', () => {
  /** Texts that a comparison without regard to case, accents or spaces would take for equal. */
  const LABELS = ['a', 'A', 'ä', 'a\u0308', 'a ', ''];
  const closeTo = (value: number): unknown => (Number.isFinite(value) ? expect.closeTo(value, 10) : null);

  function generated(random: Iterator<number, never>): LabelledRecords {
    const below = (limit: number): number => Math.floor(random.next().value * limit);
    const [labellers, labels, missing] = [1 + below(5), 1 + below(LABELS.length), random.next().value];
    return Array.from({ length: below(40) }, () => {
      const common = below(labels);
      return Array.from({ length: labellers }, () => {
        if (random.next().value < missing) return null;
        return LABELS[random.next().value < 0.6 ? common : below(labels)]!;
      });
    });
  }

  it('is that of the definitions, for every two labellers and for all', async () => {
    const random = seededNumbers(20);
    let [defined, undefinedOnes] = [0, 0];
    for (let number = 0; number < 60; number += 1) {
      const records = generated(random);
      await store(records);
      const {
        labellers,
        pairs,
        krippendorffs_alpha: alpha,
      } = await call<AgreementDto>(service, workspace, 'GET', '/labels/agreement');
      const given = [0, 1, 2, 3, 4].filter((one) =>
        records.some((labels) => typeof labels[one] === 'string'),
      );
      expect(labellers).toEqual(given.map(nameOf));
      expect(pairs).toEqual(
        given.flatMap((one, at) =>
          given.slice(at + 1).map((other) => {
            const two = records.map((labels) => [labels[one]!, labels[other]!]);
            const both = two.filter((labels) => !labels.includes(null as never));
            const equal = both.filter(([first, second]) => first === second);
            return {
              labellers: [nameOf(one), nameOf(other)],
              records: both.length,
              observed: closeTo(equal.length / both.length),
              cohens_kappa: closeTo(kappaByDefinition(two)),
            };
          }),
        ),
      );
      expect(alpha).toEqual(closeTo(alphaByDefinition(records)));
      if (given.length > 1) {
        const names = given.slice(0, 2).map(nameOf).join(',');
        const two = records.map((labels) => [labels[given[0]!]!, labels[given[1]!]!]);
        expect(await call(service, workspace, 'GET', `/labels/agreement?labellers=${names}`)).toMatchObject({
          pairs: pairs.slice(0, 1),
          krippendorffs_alpha: closeTo(alphaByDefinition(two)),
        });
      }
      if (alpha === null) undefinedOnes += 1;
      else defined += 1;
    }
    expect(Math.min(defined, undefinedOnes)).toBeGreaterThan(5);
  });
});

describe('the statistics of labels', () => {
  /** The largest number of rows that any step of a statement gives. */
  async function rowsOf({ text, parameters }: Sql): Promise<number> {
    interface Step {
      'Actual Rows': number;
      'Actual Loops': number;
      Plans?: Step[];
    }
    const [row] = await sql<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      parameters,
    );
    const largest = (step: Step): number =>
      Math.max(step['Actual Rows'] * step['Actual Loops'], ...(step.Plans ?? []).map(largest));
    return largest(row!['QUERY PLAN'][0].Plan);
  }

  it.each([100, 200, 400])('joins no labels of two labellers of %i records', async (length) => {
    const labellers = Array.from({ length: 20 }, (_, labeller) => labeller);
    await store(
      Array.from({ length }, (_, record) => labellers.map((labeller) => `label ${(record + labeller) % 5}`)),
    );
    const statements: Sql[] = [];
    const recording = {
      run: (_workspaceId: string, search: (run: unknown) => unknown) =>
        search((statement: Sql) => Promise.resolve(void statements.push(statement)).then(() => [])),
    } as unknown as SearchDatabase;
    await new LabelStatisticsRepository(recording).agreement(workspace.workspaceId, labellers.map(nameOf));
    expect(statements).toHaveLength(1);
    expect(await rowsOf(statements[0]!)).toBe(20 * length);
  });

  it.each(['/labels', '/labels/agreement'])('of GET %s count as a search', async (path) => {
    await store([['a', 'b']]);
    await sql(`UPDATE workspaces SET quotas = '{"concurrent_searches": 1}' WHERE id = $1`, [
      workspace.workspaceId,
    ]);
    const leave = await service.get(ConcurrencyQuotas).enter(workspace.workspaceId, 'concurrent_searches');
    const { status, body } = await requestAs(service, workspace, 'GET', path);
    leave();
    expect([status, body]).toEqual([429, expect.objectContaining({ code: 'too_many_concurrent_requests' })]);
    expect((await requestAs(service, workspace, 'GET', path)).status).toBe(200);
  });
});

it('say when a label was last given, also the same one again', async () => {
  const times = [];
  for (const label of ['a', 'a', 'b']) {
    await send('one', [['t3_1', label]]).expect(201);
    const { labellers } = await call<LabellersDto>(service, workspace, 'GET', '/labels');
    times.push(labellers[0]!.labelled_at);
  }
  expect([...new Set(times)].sort()).toEqual(times);
});

describe('the limits of labels', () => {
  const different = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => [`t3_${from + at}`, `label ${from + at}`] as const);
  const records = async (): Promise<[string, number][]> =>
    (await call<LabellersDto>(service, workspace, 'GET', '/labels')).labellers.map((one) => [
      one.labeller,
      one.records,
    ]);

  it('are 1,000 different labels of each labeller', async () => {
    await send('one', different(0, 1_000)).expect(201);
    const refused = await send('one', different(999, 1_001)).expect(403);
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      detail: expect.stringContaining('1000 different labels') as string,
    });
    await send('one', [['t3_more', 'label 7']]).expect(201);
    await send('one', [
      ['t3_7', 'another in place of label 7'],
      ['t3_more', 'label 8'],
    ]).expect(201);
    await send('two', different(0, 1_001)).expect(403);
    expect(await records()).toEqual([['one', 1_001]]);
  });

  it('are 20 labellers, also of requests at the same time', async () => {
    for (let labeller = 0; labeller < 19; labeller += 1)
      await send(nameOf(labeller), [['t3_1', 'a']]).expect(201);
    const database = service.app.get(DataSource);
    const answers = await database.transaction(async (tx) => {
      await tx.query('LOCK TABLE labels IN SHARE MODE');
      const sent = [19, 20, 21].map(
        async (labeller) => (await send(nameOf(labeller), [['t3_1', 'a']])).status,
      );
      await until(
        () =>
          sql<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
             WHERE datname = current_database() AND NOT granted`,
          ),
        ([row]) => row!.waiting === 3,
      );
      return sent;
    });
    expect((await Promise.all(answers)).sort()).toEqual([201, 403, 403]);
    await send(nameOf(0), [['t3_1', 'b']]).expect(201);
    expect(await records()).toHaveLength(20);
  });

  it.each([
    [1_000_000, 201],
    [1_000_001, 403],
  ])('let %i labels of a workspace be answered with %i', async (labels, status) => {
    const count = jest
      .spyOn(service.get(LabelsRepository), 'count')
      .mockResolvedValue({ labellers: 1, labels, different: 1 });
    await send('one', [['t3_1', 'a']]).expect(status);
    count.mockRestore();
    expect(await records()).toEqual(status === 201 ? [['one', 1]] : []);
  });
});

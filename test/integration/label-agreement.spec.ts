import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import type { MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import type { AgreementDto } from '../../src/content/labels/dto/label.dto.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import {
  alphaByDefinition,
  kappaByDefinition,
  type LabelledRecords,
  seededNumbers,
} from '../support/agreement-by-definition.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const LABELS = ['relevant', 'irrelevant', 'unsure', 'other'];
/** The share of labels that a labeller leaves out, and of those that differ from what others gave, by name. */
const LABELLERS = {
  coder_1: { missing: 0.05, differing: 0 },
  coder_2: { missing: 0.08, differing: 0.2 },
  coder_3: { missing: 0.6, differing: 0.4 },
};
type Labeller = keyof typeof LABELLERS;
const NAMES = Object.keys(LABELLERS) as Labeller[];

describe('the agreement of labellers of 500 matches', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  const given = new Map<Labeller, Map<string, string>>();
  let matched: string[];

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api' });
    workspace = await service.createWorkspace();
    await storeMatches();
    const random = seededNumbers(49);
    matched = await read(workspace);
    const agreed = matched.map(() => pick(random));
    for (const [index, name] of NAMES.entries()) {
      const { missing, differing } = LABELLERS[name];
      const labels = matched.flatMap((id, at): [string, string][] => {
        const label = random.next().value < differing ? pick(random) : agreed[at]!;
        return random.next().value < missing ? [] : [[id, label]];
      });
      given.set(name, new Map(labels));
      await importLabels(await person(index), name, labels);
    }
  });
  afterAll(() => service.close());

  const pick = (random: Iterator<number, never>): string =>
    LABELS[Math.floor(random.next().value ** 2 * LABELS.length)]!;

  async function storeMatches(): Promise<void> {
    const { workspaceId } = workspace;
    await service.get(AlertsService).create(workspaceId, { name: 'a', query: 'rust', of: 'all' });
    const posts = Array.from({ length: 300 }, (_, number) => aPost(number, { title: `Rust ${number}` }));
    const comments = Array.from({ length: 200 }, (_, number) => aComment(number, { body: `Rust ${number}` }));
    await service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts, comments }, null, tx);
    });
    const [row] = await service.app
      .get(DataSource)
      .query<[{ stored: number }]>('SELECT count(*)::int AS stored FROM alert_matches');
    expect(row.stored).toBe(500);
  }

  /** The workspace as a labeller sees it, with a key of their own. */
  async function person(number: number): Promise<TestWorkspace> {
    const { key } = await call<{ key: string }>(service, workspace, 'POST', '/api-keys', {
      name: `Labeller ${number}`,
      scopes: ['write'],
    });
    return { ...workspace, apiKey: key };
  }

  /** The ids of the records of all matches, page by page. */
  async function read(as: TestWorkspace): Promise<string[]> {
    const ids: string[] = [];
    for (let [cursor, isMore] = ['', true]; isMore;) {
      const page = await call<MatchPageDto>(service, as, 'GET', `/matches?limit=100&cursor=${cursor}`);
      ids.push(...page.matches.map(({ post, comment }) => post?.id ?? comment!.comment_id));
      ({ cursor, has_more: isMore } = page);
    }
    return ids.sort();
  }

  /** Imports half of the labels before the other half, and some of the first wrongly at first. */
  async function importLabels(
    as: TestWorkspace,
    labeller: string,
    labels: readonly [string, string][],
  ): Promise<void> {
    const table = (rows: readonly [string, string][]) =>
      ['id,label', ...rows.map((row) => row.join(','))].join('\n');
    const half = Math.floor(labels.length / 2);
    for (const rows of [
      labels.slice(0, 20).map(([id]): [string, string] => [id, 'other']),
      labels.slice(0, half),
      labels.slice(half),
    ])
      await call(service, as, 'POST', '/labels', { labeller, csv: table(rows) });
  }

  const recordsOf = (labellers: readonly Labeller[]): LabelledRecords =>
    matched.map((id) => labellers.map((labeller) => given.get(labeller)!.get(id) ?? null));
  const agreement = (query = '') =>
    call<AgreementDto>(service, workspace, 'GET', `/labels/agreement${query}`);

  it('of two labellers is that of an independent implementation', async () => {
    const { pairs, krippendorffs_alpha: alpha } = await agreement('?labellers=coder_1,coder_2');
    const records = recordsOf(['coder_1', 'coder_2']);
    const both = records.filter((record) => !record.includes(null));
    expect(pairs).toEqual([
      {
        labellers: ['coder_1', 'coder_2'],
        records: both.length,
        observed: expect.closeTo(
          both.filter(([one, other]) => one === other).length / both.length,
          12,
        ) as number,
        cohens_kappa: expect.closeTo(kappaByDefinition(records), 12) as number,
      },
    ]);
    expect(both.length).toBeGreaterThan(400);
    expect(pairs[0]!.cohens_kappa).toBeGreaterThan(0.6);
    expect(alpha).toBeCloseTo(alphaByDefinition(records), 12);
  });

  it('of three labellers has kappa of each two, and alpha of all', async () => {
    const { labellers, pairs, krippendorffs_alpha: alpha } = await agreement();
    expect(labellers).toEqual(NAMES);
    expect(pairs.map(({ labellers: two, cohens_kappa }) => [two, cohens_kappa])).toEqual(
      (
        [
          ['coder_1', 'coder_2'],
          ['coder_1', 'coder_3'],
          ['coder_2', 'coder_3'],
        ] as const
      ).map((two) => [two, expect.closeTo(kappaByDefinition(recordsOf(two)), 12) as number]),
    );
    expect(alpha).toBeCloseTo(alphaByDefinition(recordsOf(NAMES)), 12);
  });
});

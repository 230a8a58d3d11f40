import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import type { AlertRelevanceDto } from '../../src/alerts/relevance/alert-relevance.dto.js';
import { RelevanceLearner } from '../../src/alerts/relevance/relevance-learner.js';
import { RelevanceRepository } from '../../src/alerts/relevance/relevance.repository.js';
import type { MatchDto, MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { Removals } from '../../src/tenants/ports/removals.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const PLACES = ['north', 'south', 'east', 'west', 'harbour', 'station', 'market', 'valley'];
/** Even numbers are about a storm, odd ones about a song of that name. */
const titleOf = (number: number): string =>
  number % 2 === 0
    ? `Storm closed the bridge near the ${PLACES[number % 8]!}, shelters open in the ${PLACES[(number * 3) % 8]!}`
    : `I love the new storm song, playing it at the ${PLACES[number % 8]!} party with ${PLACES[(number * 5) % 8]!} friends`;
const isRight = ({ post }: MatchDto): boolean => post!.title.startsWith('Storm');

const service = await startTestApplication({ ROLES: 'api,scheduler' });

describe('the relevance of matches', () => {
  let workspace: TestWorkspace;
  let alertId: string;

  beforeAll(async () => {
    await service.get(RelevanceLearner).beforeApplicationShutdown();
    Object.assign(service.get(RelevanceLearner), { stopping: new AbortController() });
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    const alert = { name: 'a', query: 'storm', fold_duplicates: false, channel_config: {} };
    ({ id: alertId } = await call<{ id: string }>(service, workspace, 'POST', '/alerts', alert));
    await store(Array.from({ length: 40 }, (_, number) => number));
  });

  const store = (numbers: readonly number[]) =>
    service.get(TransactionRunner).run(async (tx) => {
      const posts = numbers.map((number) => ({ ...aPost(number), title: titleOf(number), selftext: '' }));
      await service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx);
      await service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOB, { posts }, null, tx);
    });
  const list = (query = '&limit=100') =>
    call<MatchPageDto>(service, workspace, 'GET', `/matches?alert_id=${alertId}${query}`);
  const show = () => call<AlertRelevanceDto>(service, workspace, 'GET', `/alerts/${alertId}/relevance`);
  const change = (body: object) => call(service, workspace, 'PATCH', `/alerts/${alertId}`, body);
  const decide = async (matches: readonly MatchDto[], state: string) =>
    call(service, workspace, 'POST', '/matches/bulk', { ids: matches.map(({ id }) => id), state });
  const query = <Row>(sql: string) => service.app.get(DataSource).query<Row[]>(sql, [workspace.workspaceId]);
  /** Learns what is due, without the wait. */
  const learn = async (): Promise<number> => {
    await query(
      "UPDATE alert_relevance SET due_at = now() WHERE workspace_id = $1 AND due_at < now() + interval '1 minute'",
    );
    let times = 0;
    while (await service.get(RelevanceLearner).work()) times += 1;
    return times;
  };
  /** Decides on matches of both kinds and learns. */
  const teach = async (kept = 7, dismissed = 5): Promise<void> => {
    const { matches } = await list();
    await decide(matches.filter(isRight).slice(0, kept), 'kept');
    await decide(matches.filter((match) => !isRight(match)).slice(0, dismissed), 'dismissed');
    await learn();
  };

  it('is learned after ten decisions with three of each kind, for old and new matches', async () => {
    await teach(8, 2);
    expect(await show()).toEqual({
      verdicts: { kept: 8, dismissed: 2 },
      ready: false,
      min_relevance: null,
      precision: null,
      hidden: 0,
    });
    expect((await list()).matches[0]).toMatchObject({ relevance: null, reasons: null });
    await teach(8, 3);
    await store([40, 41]);
    const { matches } = await list();
    expect(matches).toHaveLength(42);
    for (const match of matches) {
      expect(match.relevance! > 0.5).toBe(isRight(match));
      expect(match.reasons!.length).toBeGreaterThan(0);
    }
    expect(await show()).toMatchObject({ ready: true, precision: { estimate: expect.any(Number) } });
  });

  it('is learned for a single decision, and forgotten when decisions are taken back', async () => {
    await teach(7, 2);
    const [match] = (await list('&limit=100&state=new')).matches.filter((one) => !isRight(one));
    const setState = (state: string) =>
      call<MatchDto>(service, workspace, 'PATCH', `/matches/${match!.id}`, { state });
    await setState('seen');
    expect(await learn()).toBe(0);
    await setState('dismissed');
    expect(await learn()).toBe(1);
    expect((await setState('dismissed')).relevance).toBeLessThan(0.5);
    expect(await learn()).toBe(0);
    await setState('new');
    await learn();
    expect((await show()).ready).toBe(false);
    expect((await list()).matches.every(({ relevance }) => relevance === null)).toBe(true);
  });

  it('orders matches, on each page once', async () => {
    await teach();
    for (const [order, keyOf] of [
      ['relevance', ({ relevance }: MatchDto) => -relevance!],
      [
        'uncertainty',
        ({ state, relevance }: MatchDto) => (state === 'new' ? 0 : 1) + Math.abs(relevance! - 0.5),
      ],
    ] as const) {
      const shown: MatchDto[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`&limit=7&sort_by=${order}&cursor=${cursor}`);
        shown.push(...page.matches);
        cursor = page.cursor;
        if (!page.has_more) break;
      }
      expect(new Set(shown.map(({ id }) => id)).size).toBe(40);
      const keys = shown.map(keyOf);
      expect(keys).toEqual([...keys].sort((a, b) => a - b));
    }
    const { cursor } = await list('&limit=7&sort_by=relevance');
    await requestAs(service, workspace, 'GET', `/matches?sort_by=uncertainty&cursor=${cursor}`).expect(400);
    await requestAs(service, workspace, 'GET', '/matches?min_relevance=1.1').expect(400);
    await requestAs(service, workspace, 'GET', '/matches?min_relevance=').expect(400);
  });

  it('folds matches below what the alert asks for, without dropping them', async () => {
    await teach();
    expect(await change({ min_relevance: 0.5 })).not.toHaveProperty('min_relevance');
    await store([40, 41]);
    await store([43]);
    await change({ delivery: { every: 'hour' } });
    await store([42, 45]);
    const above = await list('&limit=100&min_relevance=0.5');
    expect(above.matches.every(isRight)).toBe(true);
    expect([(await list()).total, above.total, (await show()).hidden]).toEqual([45, 22, 23]);
    const events = await query<{ ids: string[] }>(
      `SELECT jsonb_path_query_array(data, '$.posts[*].id') AS ids FROM outbox_events
       WHERE workspace_id = $1 ORDER BY created_at, id`,
    );
    expect(events.slice(1).map(({ ids }) => ids)).toEqual([[aPost(40).id], [aPost(42).id]]);
    expect(await query('SELECT post_id FROM alert_matches WHERE workspace_id = $1 AND is_held')).toEqual([
      { post_id: aPost(42).id },
    ]);
    expect(await call(service, workspace, 'GET', `/alerts/${alertId}?view=full`)).toMatchObject({
      min_relevance: 0.5,
    });
    await change({ min_relevance: null });
    expect(await show()).toMatchObject({ hidden: 0, min_relevance: null });
  });

  it('is erased with any text of the workspace, also while it is learned', async () => {
    await teach();
    const repository = service.get(RelevanceRepository);
    const erase = () =>
      service
        .get(TransactionRunner)
        .run((tx) =>
          service.get(Removals).remove(workspace.workspaceId, 'posts', [aPost(0).id], 'erasure', tx),
        );
    await erase();
    expect(await query('SELECT model FROM alert_relevance WHERE workspace_id = $1')).toEqual([
      { model: null },
    ]);
    expect(await learn()).toBe(1);
    await query('UPDATE alert_relevance SET due_at = now() WHERE workspace_id = $1');
    const lease = (await repository.claim(1_000))!;
    await erase();
    const stored = await service
      .get(TransactionRunner)
      .run((tx) => repository.store(lease, Buffer.from('learned from an erased text'), tx));
    expect(stored).toBe(false);
    expect(await learn()).toBe(1);
    expect((await show()).ready).toBe(true);
  });

  it('keeps a decision that arrives while it is learned', async () => {
    await teach();
    await query('UPDATE alert_relevance SET due_at = now() WHERE workspace_id = $1');
    const repository = service.get(RelevanceRepository);
    const lease = (await repository.claim(1_000))!;
    expect(await repository.claim(1_000)).toBeNull();
    await decide((await list('&limit=100&state=new')).matches.slice(0, 1), 'dismissed');
    await service.get(TransactionRunner).run((tx) => repository.store(lease, Buffer.from('former'), tx));
    expect(await learn()).toBe(1);
  });

  it('ends with its alert', async () => {
    await teach();
    await call(service, workspace, 'DELETE', `/alerts/${alertId}`);
    expect(await query('SELECT 1 FROM alert_relevance WHERE workspace_id = $1')).toEqual([]);
  });
});

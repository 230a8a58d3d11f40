import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { DigestSender } from '../../src/alerts/digests/digest-sender.js';
import type { AlertRelevanceDto } from '../../src/alerts/relevance/alert-relevance.dto.js';
import { RelevanceModels } from '../../src/alerts/relevance/relevance-models.js';
import { RelevanceRepository } from '../../src/alerts/relevance/relevance.repository.js';
import { ReadMatchSender } from '../../src/alerts/second-reading/read-match-sender.js';
import { SecondReader } from '../../src/alerts/second-reading/second-reader.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import type { MatchPageDto } from '../../src/alerts/triage/match.dto.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { Removals } from '../../src/tenants/ports/removals.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const QUESTION = 'Is it about the weather?';
/** By the last word of a title. */
const RELEVANCE: Record<string, number> = { sure: 0.95, wet: 0.5, song: 0.5, odd: 0.6, off: 0.05 };
const relevanceOf = (text: string): number => RELEVANCE[text.trim().split(/\s/).at(-1)!]!;

const asked: { question: string; text: string }[] = [];
let isAway = false;
const model = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (isAway) return void response.writeHead(503).end();
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
    const about = JSON.parse(messages[1]!.content) as { question: string; text: string };
    asked.push(about);
    const content = about.text.endsWith('wet')
      ? 'yes: It rains.'
      : about.text.endsWith('song')
        ? 'no: It is sung.'
        : 'Ignore the above.';
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
});
await new Promise<void>((ready) => model.listen(0, '127.0.0.1', ready));
const service = await startTestApplication({
  ROLES: 'api,scheduler',
  JUDGE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1/chat/completions`,
  JUDGE_MODEL: 'small',
  QUOTA_SECOND_READINGS_PER_DAY: '4',
});

describe('second readings', () => {
  let workspace: TestWorkspace;
  let alertId: string;

  beforeAll(async () => {
    for (const loop of [service.get(SecondReader), service.get(DigestSender)])
      await loop.beforeApplicationShutdown();
    Object.assign(service.get(SecondReader), { stopping: new AbortController() });
    const learned = { relevance: relevanceOf, reasons: () => [] };
    Object.assign(service.get(RelevanceModels), {
      find: (_workspaceId: string, ids: string[]) => Promise.resolve(new Map(ids.map((id) => [id, learned]))),
    });
  });
  afterAll(async () => {
    model.closeAllConnections();
    await new Promise((closed) => model.close(closed));
  });
  beforeEach(async () => {
    [isAway, asked.length] = [false, 0];
    workspace = await service.createWorkspace();
    const alert = {
      name: 'a',
      query: 'storm',
      fold_duplicates: false,
      min_relevance: 0.55,
      question: QUESTION,
    };
    ({ id: alertId } = await call<{ id: string }>(service, workspace, 'POST', '/alerts', alert));
  });

  const store = (...titles: string[]) =>
    service.get(TransactionRunner).run(async (tx) => {
      const posts = titles.map((title, at) => ({ ...aPost(at), title: `storm ${title}`, selftext: '' }));
      await service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx);
      await service.get(AlertMatchingService).matchBatch(workspace.workspaceId, JOB, { posts }, null, tx);
    });
  const read = () => service.get(SecondReader).work();
  const query = <Row>(sql: string) => service.app.get(DataSource).query<Row[]>(sql, [workspace.workspaceId]);
  const sent = async () =>
    (
      await query<{ titles: string[] }>(
        `SELECT jsonb_path_query_array(data, '$.posts[*].title') AS titles FROM outbox_events
         WHERE workspace_id = $1 ORDER BY created_at, id`,
      )
    ).map(({ titles }) => titles);
  const list = async () => {
    const { matches } = await call<MatchPageDto>(service, workspace, 'GET', '/matches');
    return new Map(
      matches.map(({ post, relevance, second_reading: reading }) => [
        post!.title.split(' ').at(-1)!,
        [relevance, reading?.reason ?? null],
      ]),
    );
  };

  it('decide where the model is uncertain, before matches are sent', async () => {
    await store('sure', 'wet', 'song', 'odd', 'off');
    expect(await sent()).toEqual([['storm sure']]);
    expect(asked).toEqual([]);
    expect(await read()).toBe(true);
    expect(asked.map(({ text }) => text).sort()).toEqual(['storm odd', 'storm song', 'storm wet']);
    expect(asked.every(({ question }) => question === QUESTION)).toBe(true);
    expect(await sent()).toEqual([['storm sure'], ['storm wet', 'storm odd']]);
    expect(Object.fromEntries(await list())).toEqual({
      sure: [0.95, null],
      wet: [0.9, 'It rains.'],
      song: [0.1, 'It is sung.'],
      odd: [0.6, null],
      off: [0.05, null],
    });
    expect(await read()).toBe(false);
    const shown = await call<AlertRelevanceDto>(service, workspace, 'GET', `/alerts/${alertId}/relevance`);
    expect(shown.hidden).toBe(2);
    const alert = await call<{ trigger_count: number }>(service, workspace, 'GET', `/alerts/${alertId}`);
    expect(alert.trigger_count).toBe(2);
  });

  it('count once, when a process whose claim has ended answers after another', async () => {
    await store('wet');
    await read();
    const [{ id, alert }] = (await query<{ id: string; alert: string }>(
      'SELECT id, alert_id AS alert FROM alert_matches WHERE workspace_id = $1',
    )) as [{ id: string; alert: string }];
    const late = new Map([[id, { relevant: false, reason: 'Late.' }]]);
    await service
      .get(ReadMatchSender)
      .settle(workspace.workspaceId, alert, late, AbortSignal.timeout(10_000));
    expect(await sent()).toEqual([['storm wet']]);
    expect((await list()).get('wet')).toEqual([0.9, 'It rains.']);
  });

  it('leave the relevance of the model when the reader is away', async () => {
    isAway = true;
    await store('wet', 'odd');
    expect(await sent()).toEqual([]);
    await read();
    expect(await sent()).toEqual([['storm odd']]);
    expect((await list()).get('wet')).toEqual([0.5, null]);
  });

  it('are not more than the quota of the day', async () => {
    await store('a wet', 'b wet', 'c wet', 'd wet', 'e wet', 'f wet');
    await read();
    expect(asked).toHaveLength(4);
    expect((await sent())[0]).toHaveLength(4);
    const usage = await call<{ quotas: Record<string, unknown> }>(service, workspace, 'GET', '/usage');
    expect(usage.quotas.second_readings_per_day).toEqual({ limit: 4, used: 4 });
    await query(`UPDATE reading_days SET day = day - 1 WHERE workspace_id = $1`);
    const later = await call<{ quotas: Record<string, unknown> }>(service, workspace, 'GET', '/usage');
    expect(later.quotas.second_readings_per_day).toEqual({ limit: 4, used: 0 });
  });

  it('are left out for matches that waited too long', async () => {
    await store('wet', 'odd');
    await query("UPDATE alert_matches SET matched_at = now() - interval '3 minutes' WHERE workspace_id = $1");
    await read();
    expect(asked).toEqual([]);
    expect(await sent()).toEqual([['storm odd']]);
  });

  it('join the digest of the alert', async () => {
    await call(service, workspace, 'PATCH', `/alerts/${alertId}`, { delivery: { every: 'hour' } });
    await store('wet', 'song');
    await read();
    expect(await query('SELECT post_id FROM alert_matches WHERE workspace_id = $1 AND is_held')).toEqual([
      { post_id: aPost(0).id },
    ]);
  });

  it('count as long as the model stays uncertain', async () => {
    await store('wet', 'song');
    await read();
    const rows = await query<{ id: string }>(
      'SELECT id, alert_id FROM alert_matches WHERE workspace_id = $1 ORDER BY post_id',
    );
    const learn = (values: (number | null)[]) =>
      service.get(TransactionRunner).run((tx) =>
        service.get(RelevanceRepository).setRelevance(
          workspace.workspaceId,
          alertId.replace('alert_', ''),
          rows.map(({ id }) => id),
          values,
          tx,
        ),
      );
    const known = async () => [...(await list()).entries()].sort().map(([, [relevance]]) => relevance);
    await learn([0.4, 0.7]);
    expect(await known()).toEqual([0.1, 0.9]);
    await learn([0.2, 0.8]);
    expect(await known()).toEqual([0.8, 0.2]);
    await learn([null, null]);
    expect(await known()).toEqual([null, null]);
  });

  it('send nothing of a post that was erased, nor of a paused alert', async () => {
    await store('odd', 'wet');
    await service
      .get(TransactionRunner)
      .run((tx) =>
        service.get(Removals).remove(workspace.workspaceId, 'posts', [aPost(0).id], 'erasure', tx),
      );
    await call(service, workspace, 'PATCH', `/alerts/${alertId}`, { is_active: false });
    await read();
    expect(await sent()).toEqual([]);
    expect(await read()).toBe(false);
  });

  it('need a question', async () => {
    const show = (change: object) =>
      call<{ question: string | null }>(service, workspace, 'PATCH', `/alerts/${alertId}?view=full`, change);
    expect((await show({})).question).toBe(QUESTION);
    expect((await show({ question: null })).question).toBeNull();
    await store('wet', 'odd');
    expect(await sent()).toEqual([['storm odd']]);
    expect(await read()).toBe(false);
    for (const question of ['', 'x'.repeat(501), 3])
      await requestAs(service, workspace, 'PATCH', `/alerts/${alertId}`).send({ question }).expect(400);
  });
});

import { type PlatformSession } from '../../src/platforms/platform.js';
import { ArcticShiftArchive } from '../../src/platforms/reddit/archive/arctic-shift-archive.js';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  type WireObject,
} from '../../src/platforms/http/response-parsing.js';
import { AcceleratedTime } from '../support/accelerated-time.js';
import { describeRecordings, exchangesOf, Replay } from './replay.js';

const SCENARIO = 'archive_pushshift_posts_paged_2021_2022';
const TARGET = { type: 'forum', name: 'science' } as const;

describeRecordings('a recorded archive', () => {
  let replay: Replay;
  const session: PlatformSession = {
    signal: new AbortController().signal,
    workspaceId: 'workspace',
    priority: 'normal',
    onRequest: () => undefined,
  };
  const archiveOf = (scenario: string) =>
    new ArcticShiftArchive({
      baseUrl: `${replay.url}/__s/${scenario}`,
      userAgent: 'recordings-test/1.0',
      dependencies: new AcceleratedTime().dependencies,
    });

  beforeAll(async () => {
    // Only this scenario, because the replay keeps a row under one scenario and others contain some of the same rows.
    const only = ['--only', `${SCENARIO},quoted_arctic_shift_answers`];
    replay = await Replay.start(...only, '--fail-rate', '0.3', '--faults', '429,500,503,truncate,reset');
  });
  afterAll(() => replay.stop());

  it('is read to its end, each post once, despite faults', async () => {
    const rows = exchangesOf(`${SCENARIO}.jsonl.gz`)
      .flatMap((exchange) => asArray(asObject(exchange.response.body)?.data))
      .flatMap((row): WireObject[] => [asObject(row) ?? {}])
      .filter((row) => asText(row.title) !== null && asNumber(row.created_utc) !== null);
    const archive = archiveOf(SCENARIO);
    const ids: string[] = [];
    let before: Date | null = null;
    for (;;) {
      const posts = await archive.fetchBefore(TARGET, before, session);
      if (posts.length === 0) break;
      ids.push(...posts.map((post) => post.id));
      before = posts.at(-1)!.createdUtc;
    }
    archive.close();
    expect(ids).toHaveLength(1_100);
    expect([...ids].sort()).toEqual([...new Set(rows.map((row) => `t3_${String(row.id)}`))].sort());
  });

  it('reports why it does not respond', async () => {
    const archive = archiveOf('quoted_arctic_shift_answers');
    const page = archive.fetchBefore({ type: 'forum', name: 'NewToReddit' }, null, session);
    await expect(page).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('maintenance'),
    });
    archive.close();
  });
});

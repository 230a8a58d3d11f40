import { RedditPlatform } from '../../src/platforms/reddit/reddit-platform.js';
import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import { asArray, asObject } from '../../src/platforms/http/response-parsing.js';
import { asThing } from '../../src/platforms/reddit/wire.js';
import { describeRecordings, exchangesOf } from './replay.js';
import { withReplay } from './reddit-walk.js';

describeRecordings('a lookup of recorded posts', () => {
  it('finds exactly the posts that the platform still had', async () => {
    const recorded = exchangesOf('info_batch_mixed_2016.jsonl').flatMap(({ response }) =>
      asArray(asObject(asObject(response.body)?.data)?.children).flatMap((child) => {
        const thing = asThing(child);
        return thing?.kind === 't3' ? [String(thing.data.name)] : [];
      }),
    );
    expect(recorded.length).toBeGreaterThan(50);
    await withReplay([], async (replay) => {
      const platform = new RedditPlatform({
        baseUrl: replay.url,
        authUrl: replay.url,
        clientId: 'client',
        clientSecret: 'secret',
        userAgent: 'recordings-test/1.0',
        budget: new InProcessRequestBudget(1_000_000),
      });
      const posts = await platform.fetchPosts([...recorded.slice(0, 98), 't3_zzzzzz', 't3_zzzzzy'], {
        signal: AbortSignal.timeout(60_000),
        workspaceId: 'workspace',
        priority: 'normal',
        onRequest: () => undefined,
      });
      expect(posts.map((post) => post.id).sort()).toEqual(recorded.slice(0, 98).sort());
      await platform.close();
    });
  });
});

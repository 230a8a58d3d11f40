import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { withShared } from '../support/shared-folder.js';
import { RecordedSites, recordingsOf } from './site-replay.js';

const SITES = ['discourse', 'lemmy', 'mastodon'];

withShared(...SITES.map(recordingsOf)).describe('the address of a site that no source knows', () => {
  let replays: RecordedSites[];
  let other: HttpReceiver;
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    replays = await Promise.all(SITES.map((source) => RecordedSites.start(source)));
    other = await HttpReceiver.start({ status: 404, body: '<html>Nothing here</html>' });
    const sites = [
      ...replays.map(({ variables }) => variables.SOURCE_SITES!),
      `shop.example=${other.url}`,
      'gone.example=http://127.0.0.1:1',
    ];
    service = await startTestApplication({
      ROLES: 'api',
      ...replays[0]!.variables,
      SOURCE_SITES: sites.join(','),
      SOURCE_IGNORE_NOINDEX: 'false',
    });
    workspace = await service.createWorkspace();
  });
  afterAll(async () => {
    await Promise.all([...replays.map((replay) => replay.stop()), other.close()]);
  });

  const resolve = (url: string) => requestAs(service, workspace, 'POST', '/sources/resolve').send({ url });
  const topicOf = (replay: number): string => {
    const [first] = replays[replay]!.expected.flatMap(({ posts }) => posts);
    return first!.split('_').at(-1)!;
  };

  it.each([
    ['https://forum.example/', 'discourse:forum.example', 'forum', 'discourse'],
    ['forum.example/c/support/6', 'discourse:forum.example/c/support/6', 'forum', 'discourse'],
    ['https://forum.example/tag/api', 'discourse:forum.example/tag/api', 'forum', 'discourse'],
    ['https://forum.example/u/sam/summary', 'discourse:forum.example/u/sam', 'user', 'discourse'],
    ['https://lemmy.example/c/chess', 'lemmy:chess@lemmy.example', 'forum', 'lemmy'],
    [
      'https://lemmy.example/c/chess%40other.example',
      'lemmy:chess@other.example@lemmy.example',
      'forum',
      'lemmy',
    ],
    ['https://lemmy.example/u/ann?page=2', 'lemmy:ann@lemmy.example', 'user', 'lemmy'],
    ['https://lemmy.example', 'lemmy:local@lemmy.example', 'forum', 'lemmy'],
    ['https://fosstodon.org/tags/rstats', 'mastodon:#rstats@fosstodon.org', 'forum', 'mastodon'],
    ['https://fosstodon.org/@ann/1234', 'mastodon:ann@fosstodon.org', 'user', 'mastodon'],
    ['https://fosstodon.org/public/local', 'mastodon:local@fosstodon.org', 'forum', 'mastodon'],
  ])('%s is recognised by the API of its site', async (url, target, targetType, source) => {
    const { status, body } = await resolve(url);
    expect([status, body]).toEqual([
      200,
      { target, target_type: targetType, source, name: target.slice(target.indexOf(':') + 1) },
    ]);
  });

  it('of a topic gives the forum that holds it', async () => {
    const topic = await resolve(`https://forum.example/t/some-topic/${topicOf(0)}/3`);
    expect(topic.body).toMatchObject({ target: expect.stringMatching(/^discourse:forum\.example/) });
    const post = await resolve(`https://lemmy.example/post/${topicOf(1)}`);
    expect(post.body).toMatchObject({ target: expect.stringMatching(/^lemmy:.+@lemmy\.example$/) });
  });

  it('is refused after few requests when no source recognises it', async () => {
    const { status, body } = await resolve('https://shop.example/c/shoes');
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ field: 'url', message: expect.stringContaining('known source: Reddit, Hacker News') }] },
    ]);
    expect((await other.received(0)).length).toBeLessThanOrEqual(10);
  });

  it.each([
    ['https://gone.example/c/shoes', 'could not be reached'],
    ['http://127.0.0.1/c/shoes', 'not a public address'],
  ])('%s is refused with the reason', async (url, reason) => {
    const { status, body } = await resolve(url);
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ field: 'url', message: expect.stringContaining(reason) }] },
    ]);
  });
});

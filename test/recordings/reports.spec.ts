import { readFileSync } from 'node:fs';
import { mp4 } from '../../src/sandbox/media/media-files.js';
import { Random } from '../../src/sandbox/data/random.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { HttpReceiver, sendJson } from '../support/receivers.js';
import { scrapingFrom } from '../support/sandbox.js';
import { sharedPath, withShared } from '../support/shared-folder.js';

interface Route {
  path: string;
  status?: number;
  body: unknown;
  when?: string;
}

const VIDEO = mp4(2_000, new Random(1));
/** Files of the media host: a placeholder instead of one picture, sound under different names. */
const FILES = new Map([
  ['/removed.png', VIDEO],
  ['/preview1.png', VIDEO],
  ['/preview2.png', mp4(3_000, new Random(2))],
  ...['/va/DASH_480.mp4', '/vb/DASH_720.mp4', '/vc/DASH_720.mp4'].map((path) => [path, VIDEO] as const),
  ['/va/DASH_audio.mp4', mp4(500, new Random(3))],
  ['/vc/DASH_AUDIO_128.mp4', mp4(500, new Random(3))],
]);

// Small inputs that show one trouble each.
withShared('reports').describe('what people reported of other tools', () => {
  let service: TestApplication;
  let platform: HttpReceiver;
  let workspace: TestWorkspace;
  let routes: Route[];

  beforeAll(async () => {
    platform = await HttpReceiver.serve((request, response) => {
      if (request.path === '/api/v1/access_token')
        return sendJson(response, 200, { access_token: 'token', token_type: 'bearer', expires_in: 3_600 });
      const link = request.form.get('link_id');
      const route = routes.find(({ path, when }) => path === request.path && (when ?? link) === link);
      if (route !== undefined) return sendJson(response, route.status ?? 200, route.body);
      if (request.path === '/abc123.jpg')
        return void response.writeHead(302, { location: '/removed.png' }).end();
      const file = FILES.get(request.path);
      response.writeHead(file ? 200 : 404).end(file);
    });
    service = await startTestApplication({
      ...scrapingFrom(platform.url),
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const load = (name: string): void => {
    // Another name of the same host, because the platform's own origin may not redirect.
    const media = platform.url.replace('127.0.0.1', 'localhost');
    const text = readFileSync(sharedPath('reports', `${name}.routes.json`), 'utf8').replaceAll(
      '@MEDIA@',
      media,
    );
    routes = JSON.parse(text) as Route[];
  };
  const job = (target: string) => runJob(service, workspace, { target }, 100_000);
  const get = <T>(path: string) => call<T>(service, workspace, 'GET', path);

  it('a stub of count 0 whose child only its page shows loses no comment', async () => {
    load('r01-stub-count-0');
    const ended = await job('stubzero');
    expect(ended).toMatchObject({ status: 'completed', comments_scraped: 4 });
    expect(ended.progress.comments_missing ?? 0).toBe(0);
  });

  it('text and titles of a live answer are stored as typed', async () => {
    load('r07-entities-typed-by-authors');
    await job('entities');
    const sent = (routes[1]!.body as { data: { children: { data: Record<string, string> }[] } }[])[0]!;
    const { title, selftext } = sent.data.children[0]!.data;
    expect(await get('/posts/t3_en1')).toMatchObject({ title, selftext });
    const { comments } = await get<{ comments: { body: string }[] }>('/comments');
    expect(comments[0]!.body).toContain('&amp;copy=2 and AT&T');
  });

  it('a flair of invisible characters is empty', async () => {
    load('r08-zero-width');
    await job('zerowidth');
    expect(await get('/posts/t3_zw1')).toMatchObject({ flair: '' });
    expect(await get('/posts/t3_zw2')).toMatchObject({ flair: '' });
  });

  it('a removed picture is replaced by its preview, a placeholder is not stored', async () => {
    load('r06-removed-image');
    const ended = await job('imgone');
    expect(ended).toMatchObject({ status: 'completed', media_downloaded: 2 });
    for (const [id, path] of [
      ['t3_im1', '/preview1.png'],
      ['t3_im2', '/preview2.png'],
    ] as const) {
      const files = await get<{ size: number }[]>(`/posts/${id}/media`);
      expect(files.map(({ size }) => size)).toEqual([FILES.get(path)!.length]);
    }
    expect(platform.all.map(({ path }) => path)).toContain('/removed.png');
  });

  it('sound is looked for under every name, and a video without it is reported', async () => {
    load('r05-video-sound-names');
    const ended = await job('dashold');
    expect(ended).toMatchObject({ status: 'completed', media_downloaded: 3 });
    const asked = platform.all.map(({ path }) => path);
    expect(asked).toContain('/va/DASH_audio.mp4');
    expect(asked).toContain('/vc/DASH_AUDIO_128.mp4');
    const { entries } = await get<{ entries: { event: string; details: { post_id?: string } }[] }>(
      `/jobs/${ended.id}/log`,
    );
    const silent = entries.filter(({ event }) => event === 'media_without_sound');
    expect(silent.map(({ details }) => details.post_id)).toContain('t3_vb');
  });
});

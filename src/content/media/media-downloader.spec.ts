import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { skipUnless } from '../../../test/support/skip-unless.js';
import { parseEnvironment } from '../../config/environment.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { mp4 } from '../../sandbox/media/media-files.js';
import { Random } from '../../sandbox/data/random.js';
import { MediaDownloader } from './media-downloader.js';
import { MediaStaging } from './media-staging.js';
import { MediaMissing, MediaRefused, MediaStore } from './media-store.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const PATH = process.env.PATH!;
const JOINED = mp4(3_000, new Random(3));
const NOW = new Date('2026-11-01T00:00:00Z');

let endlessBytes = 0;
function* countedEndlessly(bytes: Buffer): Generator<Buffer> {
  for (; ; endlessBytes += bytes.length) yield bytes;
}

function hasFfmpeg(): boolean {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const MOVED: Record<string, string> = { '/old/video.mp4': '/video.mp4', '/removed.mp4': '/gone.png' };
describe('videos with a sound track', () => {
  const files = new Map<string, Buffer>([
    ['/video.mp4', mp4(2_000, new Random(1))],
    ['/audio.mp4', mp4(1_000, new Random(2))],
    ['/busy.mp4', mp4(1_000, new Random(4))],
    ['/gone.png', mp4(500, new Random(5))],
    ['/page.mp4', Buffer.from('<html>removed</html>')],
  ]);
  let server: Server;
  let [requests, busyStatus, rest, restHeader] = [0, 429, '0', 'retry-after'];
  let origin: string;
  let folder: string;
  let store: MediaStore;
  let client: OutboundHttpClient;
  let downloader: MediaDownloader;
  let room: number;
  let silentBecause: string | null;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests += 1;
      const location = MOVED[request.url!];
      if (location !== undefined) return void response.writeHead(302, { location }).end();
      if (request.url === '/busy.mp4' && requests === 1)
        return void response.writeHead(busyStatus, { [restHeader]: rest }).end();
      if (request.url === '/cut.mp4') {
        if (requests === 1) return void response.writeHead(503).end();
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 3_000 });
        return void response.write(files.get('/video.mp4')!.subarray(0, 1_000), () => response.destroy());
      }
      if (request.url === '/endless.mp4') {
        response.writeHead(200, { 'content-type': 'video/mp4' });
        return void Readable.from(countedEndlessly(files.get('/video.mp4')!)).pipe(response);
      }
      const body = files.get(request.url!);
      response.writeHead(body ? 200 : 404, { 'content-type': 'video/mp4' }).end(body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new OutboundHttpClient(['127.0.0.0/8']);
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'kept') }));
    room = Infinity;
    downloader = await downloaderOf(store);
  });
  afterEach(() => {
    process.env.PATH = PATH;
  });
  afterAll(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });

  const downloaderOf = async (mediaStore: MediaStore, trustedOrigins: string[] = []) =>
    new MediaDownloader(
      mediaStore,
      await MediaStaging.open(folder),
      {
        remaining: () => (room > 0 ? Promise.resolve(room) : Promise.reject(new MediaRefused('used up'))),
        tooLarge: () => Promise.resolve(new MediaRefused('beyond the quota')),
      },
      client,
      client,
      trustedOrigins,
    );
  const download = async (
    video: string,
    audio: string | string[] | null,
    fallback: string | null = null,
  ): Promise<Buffer> => {
    const medium = {
      postId: 't3_1',
      url: origin + video,
      audioUrls: [audio ?? []].flat().map((name) => origin + name),
      fallbackUrl: fallback && origin + fallback,
    };
    const { file, silentBecause: reason } = await downloader.fetch(
      'workspace',
      medium,
      NOW,
      new AbortController().signal,
    );
    silentBecause = reason;
    const bytes = await buffer(await store.read(file.path, file.size));
    expect(bytes).toHaveLength(file.size);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(file).toMatchObject({ sha256, path: `workspace/${sha256.slice(0, 2)}/${sha256}.mp4` });
    return bytes;
  };
  /** Installs a fake `ffmpeg` that records its arguments and then executes the given commands. */
  const installStub = async (end: string): Promise<void> => {
    await writeFile(join(folder, 'joined'), JOINED);
    const script = `#!/bin/sh
printf '%s\\n' "$@" > '${folder}/arguments'
for target; do :; done
${end}
`;
    await writeFile(join(folder, 'ffmpeg'), script);
    await chmod(join(folder, 'ffmpeg'), 0o755);
    process.env.PATH = `${folder}${delimiter}${PATH}`;
  };

  it('are joined by ffmpeg without re-encoding, from local files only', async () => {
    await installStub(`cp '${folder}/joined' "$target"`);
    expect(await download('/video.mp4', '/audio.mp4')).toEqual(JOINED);
    const given = (await readFile(join(folder, 'arguments'), 'utf8')).trim().split('\n');
    const text = given.join(' ');
    expect(given.filter((argument) => argument === '-i')).toHaveLength(2);
    expect(text).toMatch(
      /-protocol_whitelist file -format_whitelist mov -f mov -i \S+main \S.* -f mov -i \S+audio /,
    );
    expect(text).toMatch(/-map 0:v:0 -map 1:a:0 -c copy -f mp4 \S+joined\.mp4$/);
    expect(given).toContain('-nostdin');
  });

  it('are requested three times, then refused when the response is cut off', async () => {
    requests = 0;
    await expect(download('/cut.mp4', null)).rejects.toBeInstanceOf(MediaRefused);
    expect(requests).toBe(3);
    expect(await readdir(join(folder, 'kept')).catch(() => [])).toEqual([]);
  });

  it.each([
    [429, 'retry-after', '0', 2],
    [500, 'retry-after', '2', 2],
    [503, 'retry-after', '121', 1],
    [408, 'retry-after', '0', 2],
    [425, 'x-other', '0', 2],
    [429, 'x-ratelimit-reset', '121', 1],
    [429, 'ratelimit-reset', '1', 2],
    [403, 'retry-after', '0', 1],
  ])('after status %d with %s of %s are requested %d times', async (status, header, after, times) => {
    [requests, busyStatus, rest, restHeader] = [0, status, after, header];
    const file = await download('/busy.mp4', null).catch(() => undefined);
    expect([requests, file]).toEqual([times, times === 1 ? undefined : files.get('/busy.mp4')]);
  });

  it('are requested again only after the wait that a host asks for', async () => {
    [requests, busyStatus, rest, restHeader] = [0, 503, '2', 'retry-after'];
    let requestsBefore = 0;
    // Later than the first own wait of half a second and earlier than the one that is asked for.
    const timer = setTimeout(() => (requestsBefore = requests), 1_900);
    await download('/busy.mp4', null);
    clearTimeout(timer);
    expect([requestsBefore, requests]).toEqual([1, 2]);
  });

  it.each(['/none.mp4', '/removed.mp4', '/page.mp4'])(
    'are replaced by their copy when %s is gone',
    async (path) => {
      await expect(download(path, null)).rejects.toBeInstanceOf(MediaRefused);
      await expect(download(path, null, '/none-either.mp4')).rejects.toBeInstanceOf(MediaRefused);
      expect(await download(path, null, '/video.mp4')).toEqual(files.get('/video.mp4'));
    },
  );

  it('are joined with the first sound track that exists', async () => {
    await installStub(`cp '${folder}/joined' "$target"`);
    expect(await download('/video.mp4', ['/none.mp4', '/audio.mp4', '/never.mp4'])).toEqual(JOINED);
    expect(silentBecause).toBeNull();
  });

  it('are not fetched through a redirect from an origin that the operator trusts', async () => {
    expect(await download('/old/video.mp4', null)).toEqual(files.get('/video.mp4'));
    downloader = await downloaderOf(store, [origin]);
    await expect(download('/old/video.mp4', null)).rejects.toThrow('responded with status 302');
  });

  it('are not downloaded when the disk has too little free space', async () => {
    const full = await MediaStore.open(
      parseEnvironment({
        MEDIA_DIR: join(folder, 'kept'),
        MEDIA_MIN_FREE_BYTES: '999999999999999',
      }),
    );
    requests = 0;
    downloader = await downloaderOf(full);
    await expect(download('/video.mp4', null)).rejects.toThrow(/bytes free; MEDIA_MIN_FREE_BYTES is/);
    expect(requests).toBe(0);
  });

  it('are not downloaded when the quota is used up', async () => {
    requests = 0;
    room = 0;
    await expect(download('/video.mp4', null)).rejects.toThrow('used up');
    expect(requests).toBe(0);
  });

  it('are cut off and discarded when they exceed the remaining quota', async () => {
    room = files.get('/video.mp4')!.length - 1;
    requests = 0;
    await expect(download('/video.mp4', null)).rejects.toThrow('beyond the quota');
    expect(requests).toBe(1);
    await expect(download('/endless.mp4', null)).rejects.toThrow('beyond the quota');
    expect(endlessBytes).toBeLessThan(20_000_000);
    await installStub(`cp '${folder}/joined' "$target"`);
    room = JOINED.length - 1;
    await expect(download('/video.mp4', '/audio.mp4')).rejects.toThrow('beyond the quota');
    expect(await readdir(join(folder, 'kept')).catch(() => [])).toEqual([]);
    room = JOINED.length;
    expect(await download('/video.mp4', '/audio.mp4')).toEqual(JOINED);
  });

  it('leave nothing in the staging folder, whether kept or refused', async () => {
    await download('/video.mp4', null);
    await expect(download('/gone.mp4', null)).rejects.toBeInstanceOf(MediaRefused);
    expect(await readdir(join(folder, 'media-staging'))).toEqual([]);
  });

  it('are deleted when they are not recorded, unless the store already had their bytes', async () => {
    const medium = { postId: 't3_1', url: `${origin}/video.mp4`, audioUrls: [], fallbackUrl: null };
    const fetched = () => downloader.fetch('workspace', medium, NOW, new AbortController().signal);
    const [first, again] = [await fetched(), await fetched()];
    await downloader.discard(again);
    expect(await buffer(await store.read(first.file.path, first.file.size))).toHaveLength(first.file.size);
    await downloader.discard(first);
    await expect(store.read(first.file.path, first.file.size)).rejects.toBeInstanceOf(MediaMissing);
  });

  it('are stored without sound when there is no ffmpeg', async () => {
    process.env.PATH = folder;
    expect(await download('/video.mp4', '/audio.mp4')).toEqual(files.get('/video.mp4'));
    expect(silentBecause).toContain('ffmpeg');
  });

  it('are stored without sound when ffmpeg cannot join them', async () => {
    await installStub('echo broken > "$target"; exit 1');
    expect(await download('/video.mp4', '/audio.mp4')).toEqual(files.get('/video.mp4'));
  });

  it('are stored without sound when the sound track is gone, without starting ffmpeg', async () => {
    await installStub(`cp '${folder}/joined' "$target"`);
    expect(await download('/video.mp4', '/gone.mp4')).toEqual(files.get('/video.mp4'));
    expect(silentBecause).toContain('status 404');
    await expect(readFile(join(folder, 'arguments'))).rejects.toThrow(/ENOENT/);
  });

  it('do not delay an execution that is being cancelled', async () => {
    await installStub('exec sleep 60');
    const run = new AbortController();
    const medium = {
      postId: 't3_1',
      url: `${origin}/video.mp4`,
      audioUrls: [`${origin}/audio.mp4`],
      fallbackUrl: null,
    };
    const fetched = downloader.fetch('workspace', medium, NOW, run.signal);
    const stopped = expect(fetched).rejects.toThrow('cancelled');
    while (!(await readFile(join(folder, 'arguments')).catch(() => null)))
      await new Promise((resolve) => setImmediate(resolve));
    run.abort(new Error('cancelled'));
    await stopped;
  });

  skipUnless(hasFfmpeg(), 'there is no ffmpeg').describe('with the ffmpeg of this machine', () => {
    it('become one file with a video track and a sound track', async () => {
      jest.setTimeout(60_000);
      const make = (name: string, source: string[]): void => {
        execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', ...source, join(folder, name)]);
      };
      make('picture.mp4', ['-i', 'testsrc=d=1:s=64x64', '-c:v', 'mpeg4']);
      make('sound.mp4', ['-i', 'sine=d=1', '-c:a', 'aac']);
      files.set('/picture.mp4', await readFile(join(folder, 'picture.mp4')));
      files.set('/sound.mp4', await readFile(join(folder, 'sound.mp4')));
      const joined = await download('/picture.mp4', '/sound.mp4');
      // Handler types of the two tracks in an MP4 file.
      expect(joined.includes('vide')).toBe(true);
      expect(joined.includes('soun')).toBe(true);
    });
  });
});

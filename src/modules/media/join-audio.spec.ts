import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../sandbox/data/random.js';
import { mp4 } from '../../sandbox/media/media-files.js';
import { joinAudio } from './join-audio.js';

const MANIFEST = '<?xml version="1.0"?><MPD><BaseURL>/etc/passwd</BaseURL></MPD>';

describe('joining a video and a sound track', () => {
  const path = process.env.PATH;
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'join-'));
    await writeFile(at('video'), mp4(2_000, new Random(1)));
    await writeFile(at('manifest'), MANIFEST);
    await writeFile(at('ffmpeg'), `#!/bin/sh\n: > '${at('started')}'\n`);
    await chmod(at('ffmpeg'), 0o755);
    process.env.PATH = `${folder}:${path}`;
  });
  afterEach(async () => {
    process.env.PATH = path;
    await rm(folder, { recursive: true });
  });

  it.each([
    ['manifest', 'video', false],
    ['video', 'manifest', false],
    ['video', 'video', true],
  ])('of %s and %s starts ffmpeg: %s', async (video, audio, starts) => {
    const signal = new AbortController().signal;
    expect(await joinAudio(at(video), at(audio), at('joined'), signal)).toBe(starts);
    const isStarted = await stat(at('started')).then(
      () => true,
      () => false,
    );
    expect(isStarted).toBe(starts);
  });
});

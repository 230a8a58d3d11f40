import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../sandbox/data/random.js';
import { mp4 } from '../../sandbox/media/media-files.js';
import { joinAudio } from './join-audio.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

/** A DASH manifest that names another file as its media. */
const MANIFEST = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S">
<Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1" width="1" height="1">
<BaseURL>file:///etc/passwd</BaseURL></Representation></AdaptationSet></Period></MPD>`;
const PLAYLIST = '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n';
/** The first box of an MP4 file. */
const MP4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');

describe('joinAudio', () => {
  let folder: string;
  beforeEach(async () => (folder = await temporaryFolder()));

  it.each([
    [MANIFEST, MP4],
    [PLAYLIST, MP4],
    [MP4, MANIFEST],
    // MP4 by its first bytes, but nothing follows: the decoder itself refuses it.
    [MP4, MP4],
  ])('refuses files that are not in the MP4 format (%#)', async (video, audio) => {
    const [first, second, target] = ['video', 'audio', 'joined.mp4'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(first, video);
    await writeFile(second, audio);
    expect(await joinAudio(first, second, target, new AbortController().signal)).toBe(false);
    expect(
      await stat(target).then(
        ({ size }) => size,
        () => 0,
      ),
    ).toBe(0);
  });
});

describe('joining a video and a sound track', () => {
  const path = process.env.PATH;
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(at('video'), mp4(2_000, new Random(1)));
    await writeFile(at('manifest'), MANIFEST);
    await writeFile(at('ffmpeg'), `#!/bin/sh\n: > '${at('started')}'\n`);
    await chmod(at('ffmpeg'), 0o755);
    process.env.PATH = `${folder}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
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

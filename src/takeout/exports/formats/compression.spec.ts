import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { compressors } from 'hyparquet-compressors';
import { compressed, type Compression, PAGE_COMPRESSORS } from './compression.js';

const TEXT = Array.from({ length: 5_000 }, (_, line) => `line ${line} of a text\n`);

const DECOMPRESS: Record<Compression, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  zstd: (bytes) => spawnSync('zstd', ['-dqc'], { input: bytes, maxBuffer: Infinity }).stdout,
};

async function written(compression: Compression, text: Iterable<string>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of compressed(compression, bytesOf(text))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* bytesOf(text: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of text) yield await Promise.resolve(Buffer.from(part));
}

describe.each(['gzip', 'zstd'] as const)('%s', (compression) => {
  it.each([[TEXT], [[]]])(
    'decompresses to the original text, even if it is empty',
    async (text: string[]) => {
      const bytes = await written(compression, text);
      expect(DECOMPRESS[compression](bytes).toString()).toBe(text.join(''));
      expect(bytes.length).toBeLessThan(TEXT.join('').length / 3);
    },
  );

  it('gives the same bytes for the same text, however it is split', async () => {
    expect(await written(compression, [TEXT.join('')])).toEqual(await written(compression, TEXT));
  });

  it('fails when the text fails', async () => {
    const text = function* (): Generator<string> {
      yield TEXT.join('');
      throw new Error('broke off');
    };
    await expect(written(compression, text())).rejects.toThrow('broke off');
  });

  it('ends the text when the reader stops', async () => {
    const closed = new Promise<void>((resolve) => {
      const text = (function* (): Generator<string> {
        try {
          for (;;) yield TEXT.join('');
        } finally {
          resolve();
        }
      })();
      void (async () => {
        for await (const chunk of compressed(compression, bytesOf(text))) if (chunk.length > 0) break;
      })();
    });
    await closed;
  });

  it.each([TEXT.join(''), ''])('decompresses to the bytes of the page', (text) => {
    const codec = compression === 'gzip' ? 'GZIP' : 'ZSTD';
    const page = PAGE_COMPRESSORS[codec](Buffer.from(text));
    expect(Buffer.from(compressors[codec]!(page, text.length)).toString()).toBe(text);
  });
});

import { existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseEnvironment } from '../../config/environment.js';
import { MediaMissing, MediaStore } from './media-store.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256));

const folder = await temporaryFolder();

describe('the media store', () => {
  let file: string;
  beforeAll(async () => {
    file = join(folder, 'file');
    await writeFile(file, BYTES);
  });

  it('stores files in a folder', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'kept') }));
    await store.keep(file, 'workspace/ab/abc.png', 'image/png');
    expect(await buffer(await store.read('workspace/ab/abc.png', BYTES.length))).toEqual(BYTES);
    // No temporary file is left.
    expect(await readdir(join(folder, 'kept/workspace/ab'))).toEqual(['abc.png']);
  });

  it('closes its files and folders to other users of the machine', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'closed') }));
    await store.keep(file, 'workspace/ab/abc.png', 'image/png');
    const modes = ['', 'workspace', 'workspace/ab', 'workspace/ab/abc.png'].map(
      (path) => statSync(join(folder, 'closed', path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it('reads a file only once its bytes have arrived', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'kept') }));
    await store.keep(file, 'workspace/ab/abc.png', 'image/png');
    const stream = await store.read('workspace/ab/abc.png', BYTES.length);
    expect(stream.readableLength).toBeGreaterThan(0);
    stream.destroy();
  });

  it('has removed a file when the removal resolves', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'removed') }));
    await store.keep(file, 'workspace/ef/one.png', 'image/png');
    await store.remove('workspace/ef/one.png');
    expect(existsSync(join(folder, 'removed/workspace/ef/one.png'))).toBe(false);
  });

  it('removes files except shared ones, and returns the ids of all records', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'removed') }));
    const files = [
      { id: 'own', path: 'workspace/ab/own.png', isShared: false },
      { id: 'shared', path: 'workspace/ab/shared.png', isShared: true },
    ];
    for (const { path } of files) await store.keep(file, path, 'image/png');
    expect(await store.removeUnshared(files)).toEqual(['own', 'shared']);
    expect(await readdir(join(folder, 'removed/workspace/ab'))).toEqual(['shared.png']);
  });

  it('rejects a stored file of the wrong size until it is stored again', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'kept') }));
    const key = 'workspace/ab/cut.png';
    await store.keep(file, key, 'image/png');
    await truncate(join(folder, 'kept', key), 10);
    await expect(store.read(key, BYTES.length)).rejects.toBeInstanceOf(MediaMissing);
    await store.keep(file, key, 'image/png');
    expect(await buffer(await store.read(key, BYTES.length))).toEqual(BYTES);
  });

  it('leaves no file under the target name when a copy fails', async () => {
    const store = await MediaStore.open(parseEnvironment({ MEDIA_DIR: join(folder, 'kept') }));
    // A file cannot replace a non-empty folder.
    await mkdir(join(folder, 'kept/workspace/cd/taken.png/inside'), { recursive: true });
    await expect(store.keep(file, 'workspace/cd/taken.png', 'image/png')).rejects.toThrow();
    expect(await readdir(join(folder, 'kept/workspace/cd'))).toEqual(['taken.png']);
    await expect(store.read('workspace/ab/none.png', 1)).rejects.toBeInstanceOf(MediaMissing);
  });

  describe('with a bucket', () => {
    /** Implements just enough of the protocol to store and read objects. */
    const objects = new Map<string, { body: Buffer; type: string | undefined }>();
    const calls: string[] = [];
    let server: Server;
    let store: MediaStore;

    beforeAll(async () => {
      server = createServer((request, response) => {
        const key = request.url!.split('?')[0]!;
        calls.push(`${request.method} ${key}`);
        if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=key/'))
          return void response.writeHead(403).end();
        if (request.method === 'PUT') {
          // Stores with only basic S3 support accept neither trailers nor chunked signatures.
          if (
            request.headers['content-encoding'] !== undefined ||
            request.headers['x-amz-trailer'] !== undefined
          )
            return void response.writeHead(501).end();
          return void buffer(request).then((body) => {
            objects.set(key, { body, type: request.headers['content-type'] });
            response.writeHead(200, { etag: '"1"' }).end();
          });
        }
        const object = objects.get(key);
        if (!object) return void response.writeHead(404).end();
        response.writeHead(200, { 'content-type': object.type, 'content-length': object.body.length });
        response.end(request.method === 'HEAD' ? undefined : object.body);
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      store = await MediaStore.open(
        parseEnvironment({
          MEDIA_S3_BUCKET: 'bucket',
          MEDIA_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          MEDIA_S3_ACCESS_KEY_ID: 'key',
          MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
        }),
      );
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    it('uploads an object once, under its key and with its type, and reads it back', async () => {
      await store.keep(file, 'workspace/ab/abc.png', 'image/png');
      await store.keep(file, 'workspace/ab/abc.png', 'image/png');
      const path = '/bucket/workspace/ab/abc.png';
      expect(calls).toEqual([`HEAD ${path}`, `PUT ${path}`, `HEAD ${path}`]);
      expect(objects.get(path)).toEqual({ body: BYTES, type: 'image/png' });
      expect(await buffer(await store.read('workspace/ab/abc.png', BYTES.length))).toEqual(BYTES);
      const part = await store.read('workspace/ab/abc.png', BYTES.length, { first: 1, last: 3 });
      expect(await buffer(part)).toEqual(BYTES.subarray(1, 4));
    });

    it('throws MediaMissing when an object does not exist', async () => {
      await expect(store.read('workspace/ab/gone.png', 1)).rejects.toBeInstanceOf(MediaMissing);
    });
  });
});

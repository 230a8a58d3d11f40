import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { sendStoredFile } from './stored-file.js';

const BYTES = Buffer.from('0123456789');

async function get(headers: Record<string, string>, isFresh = false) {
  const sent: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
  const response = {
    status: (status: number) => ((sent.status = status), response),
    set: (name: string | Record<string, string>, value?: string) => {
      Object.assign(sent.headers, typeof name === 'string' ? { [name]: value } : name);
      return response;
    },
  };
  const file = await sendStoredFile(
    {
      contentType: 'text/csv',
      name: 'posts.csv',
      size: BYTES.length,
      sha256: 'abc',
      open: (range) =>
        Promise.resolve(Readable.from([range ? BYTES.subarray(range.first, range.last + 1) : BYTES])),
    },
    { fresh: isFresh, get: (name: string) => headers[name] } as unknown as Request,
    response as unknown as Response,
  );
  const body = file ? (await buffer(file.getStream())).toString() : null;
  return { ...sent, body, length: file?.getHeaders().length };
}

describe('a stored file', () => {
  it('is sent as a whole with its tag', async () => {
    expect(await get({})).toEqual({
      status: 200,
      headers: { ETag: '"abc"', 'Accept-Ranges': 'bytes' },
      body: '0123456789',
      length: 10,
    });
  });

  it('is not sent again to a client that has it', async () => {
    expect(await get({}, true)).toMatchObject({ status: 304, body: null });
  });

  it.each<Record<string, string>>([{}, { 'If-Range': '"abc"' }])('is sent in part with %j', async (more) => {
    expect(await get({ Range: 'bytes=2-4', ...more })).toMatchObject({
      status: 206,
      headers: { 'Content-Range': 'bytes 2-4/10' },
      body: '234',
      length: 3,
    });
  });

  it('is sent as a whole when the part is of another file', async () => {
    expect(await get({ Range: 'bytes=2-4', 'If-Range': '"old"' })).toMatchObject({ status: 200, length: 10 });
  });

  it('has no part beyond its end', async () => {
    await expect(get({ Range: 'bytes=10-' })).rejects.toMatchObject({
      code: 'range_not_satisfiable',
      extra: { headers: { 'Content-Range': 'bytes */10' } },
    });
  });
});

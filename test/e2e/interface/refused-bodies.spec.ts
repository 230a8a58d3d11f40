import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { ValidationPipe } from '@nestjs/common';
import { jest } from '@jest/globals';
import { startTestApplication } from '../../support/application.js';

/** The size limit of bodies, and the chunk by which decompression may exceed it. */
const MOST_DECOMPRESSED = 256 * 1_024 + 16_384;

interface Sent {
  resource?: string;
  body: string;
  isCompressed?: boolean;
  headers?: Record<string, string>;
  key?: string | null;
}

interface Refusal {
  code: string;
  errors?: { field: string; message: string }[];
}

const distinct = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

/** 31 nested objects with long names around an array of empty arrays. */
const nested = (name: string, leaves: number) =>
  `${`{"${name}":`.repeat(31)}[${'[],'.repeat(leaves - 1)}[]]${'}'.repeat(31)}`;

const service = await startTestApplication();
const workspace = await service.createWorkspace();

describe('the body of a refused request', () => {
  let decompressedBytes: number;
  /** Texts that were parsed, and bodies that validators got. */
  let parsed: string[];
  let validated: unknown[];

  beforeEach(() => {
    const decompressor = (zlib as unknown as { Gunzip: { prototype: Readable } }).Gunzip.prototype;
    const { push } = decompressor;
    jest.spyOn(decompressor, 'push').mockImplementation(function (this: Readable, chunk: Buffer | null) {
      decompressedBytes += chunk?.length ?? 0;
      return push.call(this, chunk);
    });
    const { parse } = JSON;
    jest.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      parsed.push(text);
      return parse(text, reviver) as unknown;
    });
    const { transform } = ValidationPipe.prototype;
    jest.spyOn(ValidationPipe.prototype, 'transform').mockImplementation(function (
      this: ValidationPipe,
      value: unknown,
      metadata,
    ) {
      if (metadata.type === 'body') validated.push(value);
      return transform.call(this, value, metadata);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  /** Sends a body; returns the answer, and what was done with the body. */
  async function send({ resource = '/jobs', body, isCompressed, headers, key = workspace.apiKey }: Sent) {
    [decompressedBytes, parsed, validated] = [0, [], []];
    const response = await fetch(service.url + workspace.path(resource), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(key !== null && { 'X-API-Key': key }),
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
        ...headers,
      },
      body: isCompressed ? zlib.gzipSync(body) : body,
    });
    const text = await response.text();
    const isParsed = parsed.includes(body);
    const { code, errors = [] } = JSON.parse(text) as Refusal;
    return { status: response.status, code, errors, text, decompressedBytes, isParsed, validated };
  }

  it('is decompressed, parsed and validated when it is accepted', async () => {
    const body = JSON.stringify({ query: 'solar' });
    expect(await send({ resource: '/alerts/preview', body, isCompressed: true })).toMatchObject({
      status: 200,
      decompressedBytes: body.length,
      isParsed: true,
      validated: [{ query: 'solar' }],
    });
  });

  it('is neither decompressed nor parsed without a valid key', async () => {
    const attacks: Sent[] = [
      { body: nested('x'.repeat(99), 80_000), isCompressed: true },
      { body: 'not gzip', headers: { 'Content-Encoding': 'gzip' } },
      { body: '{"not json' },
      { body: 'x'.repeat(300_000), headers: { 'Content-Type': 'text/plain' } },
    ];
    for (const attack of attacks)
      for (const key of [null, 'rp_guess'])
        expect(await send({ ...attack, key })).toMatchObject({
          status: 401,
          decompressedBytes: 0,
          isParsed: false,
          validated: [],
        });
  });

  it.each<[string, string, string]>([
    ['nested names around empty arrays', '/jobs', nested('x'.repeat(99), 80_000)],
    ['nested dots around empty arrays', '/jobs', nested('.', 40_000)],
    ['30,000 plugins', '/jobs', JSON.stringify({ target: 'x', plugins: distinct(30_000) })],
    ['30,000 keywords', '/alerts/preview', JSON.stringify({ keywords: distinct(30_000) })],
  ])('is not parsed with %s', async (_, resource, body) => {
    for (const isCompressed of [false, true]) {
      const { status, code, errors, isParsed } = await send({ resource, body, isCompressed });
      expect([status, code, isParsed]).toEqual([400, 'validation_failed', false]);
      expect(errors.map(({ field }) => field)).toEqual(['body']);
    }
  });

  it.each<[string, string, object, string]>([
    ['9,000 plugins', '/jobs', { target: 'x', plugins: distinct(9_000) }, 'plugins'],
    ['9,000 keywords', '/alerts/preview', { keywords: distinct(9_000) }, 'keywords'],
    ['9,000 events', '/webhooks', { url: 'https://x.example', events: distinct(9_000) }, 'events'],
    ['9,000 scopes', '/api-keys', { name: 'x', scopes: distinct(9_000) }, 'scopes'],
  ])('with %s goes to validators without them', async (_, resource, body, field) => {
    for (const isCompressed of [false, true]) {
      const sent = { resource, body: JSON.stringify(body), isCompressed };
      const { status, code, errors, validated: seen } = await send(sent);
      expect([status, code]).toEqual([400, 'validation_failed']);
      expect(errors.map((error) => error.field)).toEqual([field]);
      expect(seen).toEqual([{ ...body, [field]: undefined }]);
    }
  });

  it('is decompressed up to the size limit', async () => {
    const done = await send({ body: '['.repeat(50_000_000), isCompressed: true });
    expect(done).toMatchObject({ status: 413, code: 'body_too_large', isParsed: false });
    expect(done.decompressedBytes).toBeLessThanOrEqual(MOST_DECOMPRESSED);
  });

  const fields = (names: readonly string[], value: unknown) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, value])));

  it.each([
    ['unknown fields', fields(distinct(5_000), 1)],
    ['nulls', fields(distinct(5_000), null)],
    ['unstorable texts', JSON.stringify({ target: 'x', plugins: distinct(5_000).map(() => '\0') })],
    [
      'unstorable names',
      fields(
        distinct(5_000).map((name) => `${name}\0`),
        1,
      ),
    ],
    [
      'long names',
      fields(
        distinct(50).map((name) => name.padEnd(5_000, 'x')),
        1,
      ),
    ],
  ])('has at most 20 short errors for thousands of %s', async (_, body) => {
    const { status, errors, text, validated: seen } = await send({ body });
    expect(status).toBe(400);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(text.length).toBeLessThan(20_000);
    // What is refused before goes to no validator.
    expect(seen.flatMap((value) => Object.keys(value as object))).toEqual([]);
  });
});

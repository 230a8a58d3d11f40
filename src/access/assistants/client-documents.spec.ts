import type { Clock } from '../../common/clock.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import type {
  OutboundHttpClient,
  OutboundRequest,
} from '../../infrastructure/outbound-http/outbound-http-client.js';
import { ClientDocuments, isDocumentAddress, readDocument } from './client-documents.js';

const ID = 'https://app.example/client.json';
const DOCUMENT = { client_id: ID, client_name: 'App', redirect_uris: ['https://app.example/back'] };

it.each([
  [ID, true],
  ['https://app.example:8443/client.json', true],
  ['https://app.example/client?v=1', true],
  ['https://app.example/', false],
  ['https://app.example', false],
  ['http://app.example/client.json', false],
  ['https://app.example/client.json#x', false],
  ['https://app.example/client.json#', false],
  ['https://user@app.example/client.json', false],
  ['https://app.example/a/../client.json', false],
  ['https://app.example/./client.json', false],
  ['https://App.example/client.json', false],
  ['https://app.example:443/client.json', false],
  ['https://app.example\\@evil.example/x', false],
  [`https://app.example/${'x'.repeat(500)}`, false],
  ['v1.00000000.AAAA.AAAA', false],
  ['', false],
])('%s is the address of a document: %s', (id, expected) => {
  expect(isDocumentAddress(id)).toBe(expected);
});

describe('a document of a client', () => {
  const read = (changed: object) => readDocument(ID, JSON.stringify({ ...DOCUMENT, ...changed }));

  it('names the client, its host and where answers may go', () => {
    expect(read({ redirect_uris: ['https://app.example/back', 'app://back', 'http://127.0.0.1/'] })).toEqual({
      id: ID,
      name: 'App',
      host: 'app.example',
      redirects: ['https://app.example/back', 'http://127.0.0.1/'],
    });
  });

  it.each([
    ['of another address', { client_id: 'https://app.example/other.json' }],
    ['without an address', { client_id: undefined }],
    ['without a name', { client_name: undefined }],
    ['without redirects', { redirect_uris: [] }],
    ['with 21 redirects', { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) }],
    ['with a secret', { client_secret: 'x' }],
    ['with a shared secret', { token_endpoint_auth_method: 'client_secret_post' }],
  ])('%s is refused', (_case, changed) => {
    expect(read(changed)).toMatch(/^The document of the assistant at app\.example /);
  });

  it.each(['', '<html>', '[]', 'null'])('that is %j is refused', (text) => {
    expect(readDocument(ID, text)).toContain('must be JSON');
  });
});

describe('documents of clients', () => {
  const START = Date.UTC(2026, 0, 1);
  let now: number;
  let asked: OutboundRequest[];
  let answer: { status?: number; text?: string; truncated?: boolean; error?: Error };
  let documents: ClientDocuments;

  beforeEach(() => {
    now = START;
    asked = [];
    answer = {};
    const request = (sent: OutboundRequest) => {
      asked.push(sent);
      if (answer.error !== undefined) return Promise.reject(answer.error);
      const text = answer.text ?? JSON.stringify({ ...DOCUMENT, client_id: sent.url });
      return Promise.resolve({
        ...{ status: answer.status ?? 200, body: Buffer.from(text), truncated: answer.truncated ?? false },
        ...{ headers: {}, url: sent.url, durationMs: 1 },
      });
    };
    const clock: Clock = { now: () => new Date(now) };
    documents = new ClientDocuments({ request } as OutboundHttpClient, clock);
  });

  it('are fetched with bounds and without redirects, and used for five minutes', async () => {
    expect(await documents.find(ID)).toMatchObject({ id: ID, name: 'App' });
    now += 299_999;
    expect(await documents.find(ID)).toMatchObject({ id: ID, name: 'App' });
    expect(asked).toEqual([
      { method: 'GET', url: ID, timeoutMs: 5_000, maxBytes: 16_384, headers: { accept: 'application/json' } },
    ]);
    now += 1;
    answer.text = JSON.stringify({ ...DOCUMENT, client_name: 'New' });
    expect(await documents.find(ID)).toMatchObject({ name: 'New' });
  });

  it('may begin with a byte order mark', async () => {
    answer.text = `\ufeff${JSON.stringify(DOCUMENT)}`;
    expect(await documents.find(ID)).toMatchObject({ name: 'App' });
  });

  it.each([
    ['with another status', { status: 404 }],
    ['that redirect', { status: 302 }],
    ['with too many bytes', { truncated: true }],
    ['that are unreadable', { text: '{' }],
    ['that are not reached', { error: new OutboundError('timeout', 'No complete response within 5000 ms') }],
  ])('%s are refused, and not remembered', async (_case, failure) => {
    answer = failure;
    expect(await documents.find(ID)).toMatch(/^The document of the assistant at app\.example /);
    answer = {};
    expect(await documents.find(ID)).toMatchObject({ name: 'App' });
  });

  it('are forgotten when they fail after their time, and beyond 200', async () => {
    await documents.find(ID);
    for (let other = 0; other < 200; other += 1) await documents.find(`https://app.example/${other}`);
    asked = [];
    await documents.find('https://app.example/0');
    expect(asked).toEqual([]);
    await documents.find(ID);
    expect(asked).toHaveLength(1);
    now += 300_000;
    answer = { status: 500 };
    await documents.find(ID);
    now -= 300_000;
    expect(typeof (await documents.find(ID))).toBe('string');
  });
});

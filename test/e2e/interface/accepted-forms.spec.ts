import { startTestApplication } from '../../support/application.js';

const service = await startTestApplication({ CORS_ALLOWED_ORIGINS: 'https://app.example' });
const workspace = await service.createWorkspace();

describe('forms of input', () => {
  const send = (method: string, path: string, body?: string | object, headers: Record<string, string> = {}) =>
    fetch(service.url + workspace.path(path), {
      method,
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const errorsOf = async (answer: Response) => {
    const { errors } = (await answer.json()) as { errors?: { field: string; message: string }[] };
    return errors;
  };
  const JOB = { target: 'technology' };

  it.each<[string, object, string, string]>([
    ['a number as text', { ...JOB, limit: '10' }, 'limit', 'limit must be an integer number'],
    ['a fraction', { ...JOB, limit: 1.5 }, 'limit', 'limit must be an integer number'],
    ['a boolean as text', { ...JOB, download_media: 'yes' }, 'download_media', 'must be a boolean value'],
    ['a text instead of a list', { ...JOB, plugins: 'x' }, 'plugins', 'plugins must be an array'],
    ['a number instead of a text', { target: 5 }, 'target', 'target must be a string'],
  ])('%s gets one message, on its type', async (_, body, field, message) => {
    const answer = await send('POST', '/jobs', body);
    expect(answer.status).toBe(400);
    const errors = await errorsOf(answer);
    expect(errors).toMatchObject([{ field, message: expect.stringContaining(message) }]);
  });

  it.each([
    ['/jobs', { ...JOB, plugins: ['language_tagger', 'language_tagger'] }, {}],
    [
      '/schedules',
      { ...JOB, cron_expression: '@daily', config: { plugins: ['language_tagger', 'language_tagger'] } },
      {},
    ],
    ['/api-keys', { name: 'x', scopes: ['write', 'read', 'write'] }, { scopes: ['write', 'read'] }],
    [
      '/webhooks',
      { url: 'https://example.com/', events: ['job.failed', 'job.failed'] },
      { events: ['job.failed'] },
    ],
    ['/alerts', { name: 'x', keywords: ['word', 'word'], forums: ['a', 'a'] }, {}],
  ])('a value that is repeated in a list of POST %s counts once', async (path, body, expected) => {
    const answer = await send('POST', path, body);
    expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining(expected)]);
  });

  it.each([
    ['csv', 201],
    ['ndjson', 400],
  ] as const)('a byte order mark of an export as %s is answered %i', async (format, status) => {
    const answer = await send('POST', '/exports', { of: 'posts', format, bom: true });
    expect(answer.status).toBe(status);
    const body: unknown = await answer.json();
    expect(body).toMatchObject(status === 201 ? { bom: true } : { errors: [{ field: 'bom' }] });
  });

  it('a list of events that is a text gets one message', async () => {
    const answer = await send('POST', '/webhooks', { url: 'https://example.com/', events: 'job.completed' });
    expect(await errorsOf(answer)).toMatchObject([{ field: 'events', message: 'events must be an array' }]);
  });

  it.each([
    '0001-01-01T00:00:00Z',
    '0099-12-31T23:59:59.999999999Z',
    '9999-12-31T23:59:59Z',
    '2024-02-29t00:00:00z',
    '2026-01-31T00:00:00+05:30',
    '2026-01-31T00:00Z',
  ])('the time %s is accepted by lists and exports', async (time) => {
    const query = `created_after=${encodeURIComponent(time)}`;
    for (const list of ['/posts', '/comments'])
      expect((await send('GET', `${list}?${query}`)).status).toBe(200);
    const filters = { created_after: time };
    expect((await send('POST', '/exports', { of: 'posts', format: 'csv', filters })).status).toBe(201);
  });

  it.each(['0000-01-01T00:00:00Z', '2025-02-29T00:00:00Z', '2026-01-31', '2026-01-31T24:00:00Z'])(
    'the time %s is refused with the right form',
    async (time) => {
      for (const answer of [
        await send('GET', `/posts?created_after=${time}`),
        await send('POST', '/exports', { of: 'posts', format: 'csv', filters: { created_after: time } }),
      ])
        expect(await errorsOf(answer)).toMatchObject([
          { message: expect.stringContaining('2026-01-31T00:00:00Z') },
        ]);
    },
  );

  it.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"', 'us-ascii'])(
    'a body in charset %s is read',
    async (charset) => {
      const headers = { 'Content-Type': `application/json; charset=${charset}` };
      expect((await send('POST', '/jobs', JOB, headers)).status).toBe(201);
    },
  );

  it.each(['utf-16', 'utf-32', 'iso-8859-1', 'nonsense'])(
    'a body in charset %s gets 415',
    async (charset) => {
      const headers = { 'Content-Type': `application/json; charset=${charset}` };
      const answer = await send('POST', '/jobs', JOB, headers);
      expect([answer.status, await answer.text()]).toEqual([415, expect.stringContaining('UTF-8')]);
    },
  );

  it.each([
    ['timezone', { timezone: null }],
    ['limit', { limit: null, other: null }],
    ['overlap', { overlap: null }],
  ])('null for %s within config is refused, as at the top', async (field, config) => {
    const answer = await send('POST', '/schedules', { target: 'a', cron_expression: '@daily', config });
    expect(await errorsOf(answer)).toEqual([
      { field: `config.${field}`, message: `config.${field} must not be null` },
    ]);
  });

  it('null for an unknown key of config is kept', async () => {
    const config = { mine: null };
    const answer = await send('POST', '/schedules', { target: 'a', cron_expression: '@daily', config });
    expect(await answer.json()).toMatchObject({ config });
  });

  it('a page of another origin can revalidate what it has', async () => {
    const origin = { Origin: 'https://app.example' };
    const first = await send('GET', '/posts', undefined, origin);
    expect(first.headers.get('access-control-expose-headers')!.split(',')).toContain('ETag');
    const preflight = await fetch(service.url + workspace.path('/posts'), {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-api-key, if-none-match',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')!.split(',')).toContain('If-None-Match');
    const again = { ...origin, 'If-None-Match': first.headers.get('etag')! };
    expect((await send('GET', '/posts', undefined, again)).status).toBe(304);
  });

  it('targets and forums are stored in their normal form, or refused with it', async () => {
    const stored = async (path: string, body: object) =>
      (await (await send('POST', path, body)).json()) as object;
    expect(await stored('/jobs', { target: '/r/Technology' })).toMatchObject({ target: 'Technology' });
    expect(await stored('/jobs', { target: 'reddit.com/u/spez', target_type: 'user' })).toMatchObject({
      target: 'spez',
    });
    const schedule = { target: 'https://www.reddit.com/r/technology', cron_expression: '@daily' };
    expect(await stored('/schedules', schedule)).toMatchObject({ target: 'technology' });
    const alert = { name: 'a', keywords: ['b'], channel_config: { to: 'a@example.com' } };
    const forums = ['r/technology', 'hn:ask', 'https://www.reddit.com/r/a'];
    expect(await stored('/alerts', { ...alert, forums })).toMatchObject({
      forums: ['technology', 'hn:ask', 'a'],
    });
    const refused = await send('POST', '/alerts', { ...alert, forums: ['https://example.org/'] });
    expect(await errorsOf(refused)).toMatchObject([
      { field: 'forums', message: expect.stringContaining('names no subreddit') },
    ]);
    const listed = await send('POST', '/alerts', { ...alert, forums: ['hn:top'] });
    expect(await errorsOf(listed)).toMatchObject([
      { field: 'forums', message: expect.stringContaining('hn:story, hn:ask, hn:show, hn:job') },
    ]);
    const always = { every: 'day', quiet: { from: '08:00', to: '08:00' } };
    const quiet = await send('POST', '/alerts', { ...alert, delivery: always });
    expect(await errorsOf(quiet)).toMatchObject([
      { field: 'delivery.quiet.to', message: expect.stringContaining('must differ') },
    ]);
    const wrong = await send('POST', '/jobs', { target: 'u/spez' });
    expect(await errorsOf(wrong)).toMatchObject([
      { field: 'target', message: expect.stringContaining('`target_type` "user"') },
    ]);
  });

  it('a client that reconnects after the end of its events gets 204', async () => {
    const job = (await (await send('POST', '/jobs', JOB)).json()) as { id: string };
    await send('DELETE', `/jobs/${job.id}`);
    const stream = await (await send('GET', `/jobs/${job.id}/events`)).text();
    expect(stream).toMatch(/id: end\n/);
    const again = await send('GET', `/jobs/${job.id}/events`, undefined, { 'Last-Event-ID': 'end' });
    expect([again.status, await again.text()]).toEqual([204, '']);
  });

  it('a byte order mark begins a CSV file on request, and no other', async () => {
    const file = await (await send('GET', '/exports/posts?bom=true')).arrayBuffer();
    expect([...new Uint8Array(file).subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x22]);
    const plain = await (await send('GET', '/exports/comments?format=csv')).arrayBuffer();
    expect(new Uint8Array(plain)[0]).toBe(0x22);
    const refused = await send('GET', '/exports/posts?format=json&bom=true');
    expect(await errorsOf(refused)).toMatchObject([{ field: 'bom', message: 'bom is only for format=csv' }]);
  });
});

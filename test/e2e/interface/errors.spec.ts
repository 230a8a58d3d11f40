import { connect } from 'node:net';
import { DataSource } from 'typeorm';
import { MAX_VALUES, TOO_MANY_VALUES } from '../../../src/http/parameters/input-hygiene.js';
import { startWithClient } from '../../support/contract.js';

interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  errors?: { field: string; message: string }[];
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const { service, workspace, client } = await startWithClient({ CORS_ALLOWED_ORIGINS: 'https://app.example' });

describe('refusals', () => {
  const fields = (body: ProblemBody) => body.errors?.map(({ field }) => field);
  const send = (body: string, type = 'application/json') =>
    client.post<ProblemBody>(workspace.path('/jobs'), body, { headers: { 'Content-Type': type } });

  it('have the form of RFC 9457, with a code and the request id', async () => {
    const { status, headers, body } = await client.get<ProblemBody>(workspace.path(`/jobs/${UNKNOWN_ID}`), {
      headers: { 'X-Request-Id': 'my-request-1' },
    });
    expect(status).toBe(404);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('x-request-id')).toBe('my-request-1');
    expect(body).toEqual({
      type: 'urn:problem:not_found',
      title: 'Not Found',
      status: 404,
      detail: 'No such job in this workspace',
      instance: workspace.path(`/jobs/${UNKNOWN_ID}`),
      code: 'not_found',
      request_id: 'my-request-1',
    });
  });

  it('replace a request id that could disturb a log', async () => {
    const { headers } = await client.get(workspace.path('/jobs'), { headers: { 'X-Request-Id': 'a b"c' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['malformed JSON', '{"target": "x"', ['body']],
    ['no JSON at all', 'target=x', ['body']],
    ['an array', '[{"target":"x"}]', ['body']],
    ['a string', '"x"', ['body']],
    ['null', 'null', ['target']],
    ['a missing field', '{}', ['target']],
    ['a field of the wrong type', '{"target": 5}', ['target']],
    ['a number as text', '{"target":"x","limit":"5"}', ['limit']],
    ['a fraction', '{"target":"x","limit":1.5}', ['limit']],
    ['a huge number', '{"target":"x","limit":1e400}', ['limit']],
    ['an unknown field', '{"target":"x","colour":"red"}', ['colour']],
    ['null for an optional field', '{"target":"x","limit":null,"mode":null}', ['limit', 'mode']],
    ['null next to another fault', '{"limit":null}', ['limit', 'target']],
    ['NUL in text', '{"target":"x\\u0000y"}', ['target']],
    ['half a surrogate pair', '{"target":"x\\ud800"}', ['target']],
    ['text in a list', '{"target":"x","plugins":["a\\u0000"]}', ['plugins.0']],
    ['a name that changes objects', '{"target":"x","__proto__":{"limit":5}}', ['__proto__']],
    ['the constructor', '{"target":"x","constructor":{}}', ['constructor']],
    ['endless nesting', `{"target":"x","plugins":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, ['plugins']],
  ])('name %s', async (_, body, expected) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('validation_failed');
    expect([...new Set(fields(answer.body))].sort()).toEqual([...expected].sort());
  });

  it.each([
    ['/jobs', { target: 'hn:foo' }],
    ['/jobs', { target: 'HN:foo', target_type: 'forum' }],
    ['/schedules', { target: 'hn:foo', cron_expression: '@hourly' }],
  ])('name the forums of Hacker News to a request to %s for %j', async (path, body) => {
    const answer = await client.post<ProblemBody>(workspace.path(path), body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors).toEqual([
      { field: 'target', message: expect.stringContaining('hn:new, hn:top, hn:ask, hn:show, hn:job') },
    ]);
  });

  it('accept a name unchanged when only the source knows whether the target exists', async () => {
    for (const body of [
      { target: 'hn:foo', target_type: 'user' },
      { target: 'hn:TOP' },
      { target: 'xy:foo' },
    ])
      expect((await client.post(workspace.path('/jobs'), body)).status).toBe(201);
  });

  it('name a body that is not UTF-8 text, instead of storing replacement characters', async () => {
    const answer = await fetch(`${service.url}${workspace.path('/jobs')}`, {
      method: 'POST',
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
      body: Buffer.from('{"target":"x\xff"}', 'latin1'),
    });
    const { code, errors } = (await answer.json()) as ProblemBody;
    expect([answer.status, code, errors]).toEqual([
      400,
      'validation_failed',
      [{ field: 'body', message: 'body is not UTF-8 text' }],
    ]);
  });

  it('refuse too many values in a body before parsing it', async () => {
    const { status, body } = await send(`[${','.repeat(MAX_VALUES)}`);
    expect([status, body.errors]).toEqual([400, [TOO_MANY_VALUES]]);
  });

  it('use the last value of a repeated field, as JSON parsers do', async () => {
    expect((await send('{"target":"x","target":"y"}')).body).toMatchObject({ target: 'y' });
  });

  it.each([
    ['a form', 'target=x', 'application/x-www-form-urlencoded'],
    ['text', '{"target":"x"}', 'text/plain'],
    ['an unknown charset', '{"target":"x"}', 'application/json; charset=klingon'],
  ])('answer 415 to %s', async (_, body, type) => {
    const answer = await send(body, type);
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('answer 415 to an unknown content encoding', async () => {
    const answer = await client.post<ProblemBody>(workspace.path('/jobs'), '{}', {
      headers: { 'Content-Encoding': 'klingon' },
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('answer 413 to a body beyond 256 KiB', async () => {
    const body = (bytes: number) => JSON.stringify({ target: 'x'.repeat(bytes - '{"target":""}'.length) });
    expect((await send(body(256 * 1024))).status).toBe(400);
    const answer = await send(body(256 * 1024 + 1));
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
  });

  it.each([
    ['an unknown parameter', 'colour=red', 'colour'],
    ['a parameter given twice', 'limit=1&limit=2', 'limit'],
    ['a parameter as a list', 'forum[]=a', 'forum[]'],
    ['a parameter that changes objects', '__proto__=1', '__proto__'],
    ['a parameter with a name that every object has', 'toString=1', 'toString'],
    ['NUL', 'q=%00', 'q'],
    ['broken percent encoding', 'q=%zz', 'q'],
    ['broken UTF-8', 'q=%ff', 'q'],
    ['text for a number', 'limit=ten', 'limit'],
    ['a number beyond its column', 'min_score=2147483648', 'min_score'],
    ['relevance to nothing', 'sort_by=relevance', 'sort_by'],
  ])('name %s in a query', async (_, query, field) => {
    const answer = await client.get<ProblemBody>(`${workspace.path('/posts')}?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(fields(answer.body)).toContain(field);
  });

  it.each([
    ['a bad id', '/jobs/not-a-uuid', 400, 'validation_failed'],
    ['a bad media id', '/posts/t3_1/media/not-a-uuid', 400, 'validation_failed'],
    ['an unknown media id', `/posts/t3_1/media/${UNKNOWN_ID}`, 404, 'not_found'],
    ["another thing's id", `/jobs/key_${UNKNOWN_ID}`, 400, 'validation_failed'],
    ['broken percent encoding', '/posts/%zz', 400, 'validation_failed'],
    ['NUL', '/posts/t3_%00', 400, 'validation_failed'],
    ['an unknown resource', '/nonsense', 404, 'not_found'],
  ])('answer %s in a path', async (_, path, status, code) => {
    const answer = await client.get<ProblemBody>(workspace.path(path));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    ['0', 400],
    ['2147483647', 404],
    ['2147483648', 400],
  ])("answer %s as the number of an export's part with %i", async (number, status) => {
    const { body } = await client.post<{ id: string }>(workspace.path('/exports'), {
      of: 'posts',
      format: 'csv',
    });
    const answer = await client.get(workspace.path(`/exports/${body.id}/parts/${number}`));
    expect(answer.status).toBe(status);
  });

  it('answer 404 to a media file that the store has lost', async () => {
    await service.app.get(DataSource).query(
      `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
       VALUES ($1, $2, 't3_1', 'https://i.example.com/1.jpg', '\\x00', 'image/jpeg', 5, 'abc', 'lost/abc.jpg', now())`,
      [workspace.workspaceId, UNKNOWN_ID],
    );
    const answer = await client.get<ProblemBody>(workspace.path(`/posts/t3_1/media/${UNKNOWN_ID}`));
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect(answer.body.detail).toContain('missing from the media store');
  });

  it('answer 400 to a malformed workspace id', async () => {
    const { body } = await client.get<ProblemBody>('/api/v1/workspaces/nobody/jobs');
    expect([body.code, fields(body)]).toEqual(['validation_failed', ['workspace_id']]);
  });

  it('answer 404 at unknown addresses, with and without a key', async () => {
    for (const path of [
      '/nonsense',
      '/api/v1',
      '/api/v2/jobs',
      '/api/v1/workspaces',
      workspace.path('/nonsense'),
    ])
      for (const key of [workspace.apiKey, null])
        expect((await client.get<ProblemBody>(path, { key })).body.code).toBe('not_found');
  });

  it.each([
    ['PUT', '/jobs', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/posts', 'GET, HEAD, OPTIONS'],
    ['POST', '/posts/t3_1', 'DELETE, GET, HEAD, OPTIONS'],
    ['DELETE', '/exports/posts', 'GET, HEAD, OPTIONS'],
  ])('answer 405 to %s %s and list the allowed methods', async (method, path, allow) => {
    const answer = await client.call<ProblemBody>(method, workspace.path(path));
    expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
  });

  it('list the allowed methods for OPTIONS, and answer HEAD like GET without a body', async () => {
    const options = await client.call('OPTIONS', workspace.path('/jobs'), { key: null });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
    for (const path of ['/jobs', '/posts', '/exports/posts']) {
      const head = await client.call('HEAD', workspace.path(path));
      expect([path, head.status, head.text]).toEqual([path, 200, '']);
    }
    expect((await client.call('HEAD', workspace.path('/jobs'), { key: null })).status).toBe(401);
  });

  it('reach an application in the browser only from an allowed origin', async () => {
    const from = (origin: string, method = 'GET') =>
      client.call(method, workspace.path('/jobs'), {
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    expect((await from('https://app.example')).headers.get('access-control-allow-origin')).toBe(
      'https://app.example',
    );
    expect((await from('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await from('https://app.example', 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-API-Key');
  });

  it('carry the headers of helmet and reveal nothing about the server', async () => {
    const { headers } = await client.get(workspace.path('/jobs'));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('survive a client that aborts its request', async () => {
    const { hostname, port } = new URL(service.url);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${workspace.path('/jobs')} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${workspace.apiKey}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"target"',
          () => socket.destroy(),
        );
      });
      socket.once('close', () => resolve());
      socket.once('error', reject);
    });
    expect((await client.get(workspace.path('/jobs'))).status).toBe(200);
  });

  it.each([
    [
      'an address that is too long',
      `GET /docs?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'request_head_too_large',
    ],
    ['what is no HTTP', 'good day\r\n\r\n', 'validation_failed'],
  ])('answer %s, which no handler sees', async (_, sent, code) => {
    const [head, body] = (await rawAnswer(sent)).split('\r\n\r\n') as [string, string];
    const problem = JSON.parse(body) as ProblemBody;
    expect(problem.code).toBe(code);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${problem.status} `));
    expect(head).toMatch(/^Content-Type: application\/problem\+json/m);
    expect(head).toContain(`X-Request-Id: ${problem.request_id}`);
    expect(
      client.contract.validate('unreadable request', { $ref: '#/components/schemas/ProblemDto' }, problem),
    ).toEqual([]);
  });

  it('name a scheme with every 401', async () => {
    for (const key of [null, 'rp_nonsense']) {
      const { status, headers } = await client.get(workspace.path('/jobs'), { key });
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  it('report an unknown field', async () => {
    const { body } = await client.get<ProblemBody>(workspace.path('/jobs'), { query: { colour: 'red' } });
    expect(body.errors).toEqual([
      {
        field: 'colour',
        message: 'Unknown query parameter `colour`. Allowed: status, target, mode, view, limit, offset.',
      },
    ]);
  });

  /** The service's response to raw bytes, until it closes the connection. */
  function rawAnswer(sent: string): Promise<string> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(sent));
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      socket.once('end', () => resolve(answer));
      socket.once('error', reject);
    });
  }
});

describe('conditional requests', () => {
  it('are 304 while nothing has changed, and private to their key', async () => {
    const first = await client.get(workspace.path('/jobs'));
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await fetch(service.url + workspace.path('/jobs'), {
      headers: { 'X-API-Key': workspace.apiKey, 'If-None-Match': first.headers.get('etag')! },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await client.post(workspace.path('/jobs'), { target: 'technology' });
    const changed = await fetch(service.url + workspace.path('/jobs'), {
      headers: { 'X-API-Key': workspace.apiKey, 'If-None-Match': first.headers.get('etag')! },
    });
    expect(changed.status).toBe(200);
  });

  it('differ by origin and by encoding, and say so', async () => {
    const { headers } = await client.get(workspace.path('/exports/posts'), {
      headers: { Origin: 'https://app.example' },
    });
    expect(headers.get('vary')?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
  });
});

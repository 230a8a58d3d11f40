import { getEventListeners } from 'node:events';
import { AcceleratedTime } from '../../../test/support/accelerated-time.js';
import { HttpReceiver, sendJson } from '../../../test/support/receivers.js';
import { Authorizer } from './authorizer.js';
import { Requestor } from '../http/requestor.js';
import { retryDependencies } from '../http/with-retry.js';
import { REDDIT_RETRIES } from './refusals.js';

const never = new AbortController().signal;

describe('the authorizer', () => {
  let server: HttpReceiver;
  let requestor: Requestor;
  let authorizer: Authorizer;
  let time: AcceleratedTime;

  async function serve(answer: Parameters<typeof HttpReceiver.serve>[0]): Promise<void> {
    server = await HttpReceiver.serve(answer);
    requestor = new Requestor('agent/1.0');
    time = new AcceleratedTime();
    const credentials = { authUrl: `${server.url}/prefix/`, clientId: 'me', clientSecret: 's3cret' };
    authorizer = new Authorizer(
      credentials,
      requestor,
      retryDependencies(REDDIT_RETRIES, undefined, time.dependencies),
    );
  }
  const tokens =
    (life: number): Parameters<typeof HttpReceiver.serve>[0] =>
    (_request, response, nth) =>
      sendJson(response, 200, { access_token: `token-${nth}`, token_type: 'bearer', expires_in: life });
  afterEach(async () => {
    authorizer.close();
    requestor.close();
    await server.close();
  });

  it('requests one application token for all concurrent callers', async () => {
    await serve(tokens(3_600));
    const all = await Promise.all(Array.from({ length: 20 }, () => authorizer.bearer({ signal: never })));
    expect(new Set(all)).toEqual(new Set(['token-1']));
    expect(server.all).toHaveLength(1);
    const [request] = server.all;
    expect(request).toMatchObject({ method: 'POST', path: '/prefix/api/v1/access_token' });
    expect(request!.form.get('grant_type')).toBe('client_credentials');
    expect(request!.headers.authorization).toBe(`Basic ${Buffer.from('me:s3cret').toString('base64')}`);
  });

  it.each([
    [3_600, 3_539, 3_541],
    [10, 8, 9.5],
  ])('keeps a token valid for %d s until %d s, and renews it by %d s', async (life, kept, renewed) => {
    await serve(tokens(life));
    await authorizer.bearer({ signal: never });
    await time.sleep(kept * 1_000, never);
    expect(await authorizer.bearer({ signal: never })).toBe('token-1');
    await time.sleep((renewed - kept) * 1_000, never);
    expect(await authorizer.bearer({ signal: never })).toBe('token-2');
  });

  it('renews a refused token once, however many requests were refused with it', async () => {
    await serve(tokens(3_600));
    const old = await authorizer.bearer({ signal: never });
    authorizer.discard(old);
    const renewed = await authorizer.bearer({ signal: never });
    authorizer.discard(old);
    expect(await authorizer.bearer({ signal: never })).toBe(renewed);
    expect(server.all).toHaveLength(2);
  });

  it.each([
    [200, { error: 'invalid_grant' }],
    [200, { error_description: 'bad device_id', error: 'invalid_request' }],
    [200, { error: 401 }],
    [400, { error: 400 }],
    [401, { message: 'Unauthorized', error: 401 }],
    [403, { message: 'Forbidden', error: 403 }],
  ])('takes %i %j as a refusal of the credentials, without retrying', async (status, body) => {
    await serve((_request, response) => sendJson(response, status, body));
    await expect(authorizer.bearer({ signal: never })).rejects.toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining('PLATFORM_CLIENT_SECRET'),
    });
    expect(server.all).toHaveLength(1);
  });

  it('survives temporary faults: rate limit, server error, truncation, reset', async () => {
    await serve((request, response, nth) => {
      if (nth === 1) return sendJson(response, 429, { error: 429 });
      if (nth === 2) return void response.writeHead(503).end();
      if (nth === 3) return void response.writeHead(200).end('{"access_tok');
      if (nth === 4) return void response.socket!.resetAndDestroy();
      tokens(3_600)(request, response, nth);
    });
    expect(await authorizer.bearer({ signal: never })).toBe('token-5');
    expect(time.waits).toHaveLength(4);
  });

  it('delivers the token to the other callers when one aborts', async () => {
    const giveUp = new AbortController();
    await serve((request, response, nth) => {
      giveUp.abort(new Error('cancelled'));
      tokens(3_600)(request, response, nth);
    });
    const impatient = authorizer.bearer({ signal: giveUp.signal });
    const patient = authorizer.bearer({ signal: never });
    await expect(impatient).rejects.toThrow('cancelled');
    expect(await patient).toBe('token-1');
  });

  it('leaves no listener on the signal of a caller', async () => {
    await serve(tokens(3_600));
    const { signal } = new AbortController();
    await authorizer.bearer({ signal });
    await new Promise((resolve) => setImmediate(resolve));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('keeps the free text of a refusal out of the error', async () => {
    await serve((_request, response) => sendJson(response, 400, { error: 'wrong secret s3cret' }));
    const error: unknown = await authorizer.bearer({ signal: never }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('(status 400)') });
    expect(String(error)).not.toContain('s3cret');
  });

  it('names PLATFORM_AUTH_URL when it is wrong', async () => {
    await serve((_request, response) => sendJson(response, 404, { message: 'Not Found', error: 404 }));
    await expect(authorizer.bearer({ signal: never })).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('PLATFORM_AUTH_URL'),
    });
  });
});

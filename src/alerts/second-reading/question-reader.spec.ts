import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { QuestionReader } from './question-reader.js';
import { ReadingMetrics } from './reading-metrics.js';

interface Call {
  path: string;
  authorization: string | undefined;
  body: { model: string; messages: { role: string; content: string }[] };
}

const answered = (content: unknown): string => JSON.stringify({ choices: [{ message: { content } }] });

describe('QuestionReader', () => {
  beforeAll(() => void Logger.overrideLogger(false));
  let server: Server;
  let calls: Call[];
  let answer: { status: number; body: string } | null;
  let now: number;
  let metrics: MetricsRegistry;
  let reader: QuestionReader;

  beforeEach(async () => {
    calls = [];
    answer = { status: 200, body: answered('yes: It names a storm.') };
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        calls.push({
          path: request.url!,
          authorization: request.headers.authorization,
          body: JSON.parse(Buffer.concat(chunks).toString()) as Call['body'],
        });
        if (answer === null) response.destroy();
        else response.writeHead(answer.status).end(answer.body);
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    now = 0;
    metrics = new MetricsRegistry();
    reader = new QuestionReader(
      {
        JUDGE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`,
        JUDGE_API_KEY: 'key',
        JUDGE_MODEL: 'small',
      },
      new ReadingMetrics(metrics),
      { now: () => new Date(now) },
    );
  });
  afterEach(async () => {
    reader.onApplicationShutdown();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const { signal } = new AbortController();
  const ask = (text: string, mayCall = true, workspaceId = 'w') =>
    reader.read({ workspaceId, question: 'A storm?', text }, () => Promise.resolve(mayCall), signal);
  const outcomes = async () => {
    const metric = await metrics.registry.getSingleMetric('wss_second_readings_total')!.get();
    return Object.fromEntries(metric.values.map(({ labels, value }) => [String(labels.outcome), value]));
  };

  it('puts the question about a text to the model, once', async () => {
    const reading = { relevant: true, reason: 'It names a storm.' };
    expect([await ask('a'), await ask('a')]).toEqual([reading, reading]);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer key',
      body: { model: 'small', temperature: 0 },
    });
    expect(JSON.parse(calls[0]!.body.messages[1]!.content)).toEqual({ question: 'A storm?', text: 'a' });
    await ask('a', true, 'another workspace');
    expect(calls).toHaveLength(2);
    expect(await outcomes()).toEqual({ yes: 2, kept: 1 });
  });

  it('makes no call beyond the quota, and keeps no failure', async () => {
    expect(await ask('a', false)).toBeNull();
    expect(calls).toEqual([]);
    expect(await ask('a')).not.toBeNull();
    expect(await outcomes()).toEqual({ left_out: 1, yes: 1 });
  });

  it.each([
    ['another answer', { status: 200, body: answered('I cannot say.') }, 'unclear'],
    ['another format', { status: 200, body: answered(null) }, 'failed'],
    ['no JSON', { status: 200, body: '<html>' }, 'failed'],
    ['a long response', { status: 200, body: answered('y'.repeat(100_000)) }, 'failed'],
    ['an error', { status: 500, body: '' }, 'failed'],
    ['a lost connection', null, 'failed'],
  ])('gives no answer after %s', async (_name, response, outcome) => {
    answer = response;
    expect(await ask('a')).toBeNull();
    expect(await outcomes()).toEqual({ [outcome]: 1 });
  });

  it('pauses for a minute after five failures, then after each', async () => {
    answer = { status: 503, body: '' };
    for (let at = 0; at < 6; at += 1) await ask(`${at}`);
    expect(calls).toHaveLength(5);
    now = 60_000;
    await ask('a');
    await ask('b');
    expect(calls).toHaveLength(6);
    now = 120_000;
    answer = { status: 200, body: answered('no: It is a song.') };
    expect(await ask('a')).toMatchObject({ relevant: false });
    expect(await ask('b')).toMatchObject({ relevant: false });
  });

  it('rejects when the process stops', async () => {
    const stopped = AbortSignal.abort(new Error('stopping'));
    const asked = { workspaceId: 'w', question: 'q', text: 't' };
    await expect(reader.read(asked, () => Promise.resolve(true), stopped)).rejects.toThrow('stopping');
  });

  it('is off without an address', async () => {
    const off = new QuestionReader({}, new ReadingMetrics(new MetricsRegistry()), { now: () => new Date(0) });
    const asked = { workspaceId: 'w', question: 'q', text: 't' };
    expect(await off.read(asked, () => Promise.reject(new Error('called')), signal)).toBeNull();
    off.onApplicationShutdown();
  });
});

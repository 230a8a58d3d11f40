import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ArgumentsHost } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { ClientGoneError, clientSignal, openRequestScope } from './request-scope.js';
import { ProblemFilter } from '../server/problem-response.js';

describe('the abort signal of a request', () => {
  let server: Server;
  let served: Promise<{ signal: AbortSignal; response: Response }>;

  beforeEach(async () => {
    served = new Promise((resolve) => {
      server = createServer((_request, answer) => {
        const response = answer as Response;
        openRequestScope({}, response, () =>
          // Async work that starts later belongs to the same request.
          setImmediate(() => resolve({ signal: clientSignal()!, response })),
        );
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => server.close());

  const request = () => get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });

  it('aborts when the client disconnects before the response', async () => {
    const sent = request().on('error', () => undefined);
    const { signal } = await served;
    expect(signal.aborted).toBe(false);
    sent.destroy();
    await once(signal, 'abort');
    expect(signal.reason).toBeInstanceOf(ClientGoneError);
  });

  it('is already aborted when the client has disconnected before', async () => {
    const sent = request().on('error', () => undefined);
    const { response } = await served;
    const closed = once(response, 'close');
    sent.destroy();
    await closed;
    openRequestScope({}, response, () => expect(clientSignal()!.aborted).toBe(true));
  });

  it('does not abort after the response', async () => {
    const sent = request();
    const { signal, response } = await served;
    const closed = once(response, 'close');
    response.end();
    const [received] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    received.resume();
    await closed;
    expect(signal.aborted).toBe(false);
  });

  it('is undefined outside of requests', () => {
    expect(clientSignal()).toBeUndefined();
  });

  it('abandons work without a response or a log line', () => {
    const unusable = {};
    const host = { switchToHttp: () => ({ getRequest: () => unusable, getResponse: () => unusable }) };
    const adapters = { httpAdapter: { getInstance: () => unusable } };
    const filter = new ProblemFilter(adapters as unknown as HttpAdapterHost);
    expect(() => filter.catch(new ClientGoneError(), host as unknown as ArgumentsHost)).not.toThrow();
  });
});

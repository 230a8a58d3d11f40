import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ConcurrencyQuotas } from './concurrency-quotas.js';
import { ConcurrencyGuard, LimitConcurrency } from './concurrency.guard.js';

describe('ConcurrencyGuard', () => {
  let running: number;
  beforeEach(() => (running = 0));

  class Operations {
    @LimitConcurrency('event_streams')
    follow(): void {}
  }

  /** Sends a request to the operation; `response` says whether the client is still connected. */
  const request = async (response: EventEmitter & { destroyed: boolean }): Promise<void> => {
    const quotas: Pick<ConcurrencyQuotas, 'enter'> = {
      enter: () => {
        running += 1;
        return Promise.resolve(() => void (running -= 1));
      },
    };
    const context = {
      getHandler: () => Operations.prototype.follow,
      switchToHttp: () => ({
        getRequest: () => ({ caller: { workspaceId: 'w' } }),
        getResponse: () => response,
      }),
    } as unknown as ExecutionContext;
    await new ConcurrencyGuard(new Reflector(), quotas as ConcurrencyQuotas).canActivate(context);
  };

  it('counts a request until its response is closed', async () => {
    const response = Object.assign(new EventEmitter(), { destroyed: false });
    await request(response);
    expect(running).toBe(1);
    response.emit('close');
    expect(running).toBe(0);
  });

  it('does not count a request whose client disconnected while it waited for a slot', async () => {
    await request(Object.assign(new EventEmitter(), { destroyed: true }));
    expect(running).toBe(0);
  });
});

import { jest } from '@jest/globals';
import type { HttpAdapterHost } from '@nestjs/core';
import { Draining } from './draining.js';

describe('a server that shuts down', () => {
  const closeAllConnections = jest.fn();
  const adapters = { httpAdapter: { getHttpServer: () => ({ closeAllConnections }) } };
  let draining: Draining;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    closeAllConnections.mockClear();
    draining = new Draining(adapters as unknown as HttpAdapterHost);
  });
  afterEach(() => jest.useRealTimers());

  it('cuts off what still runs 4 s after it has begun', async () => {
    await draining.beforeApplicationShutdown();
    expect(draining.hasBegun).toBe(true);
    jest.advanceTimersByTime(3_999);
    expect(closeAllConnections).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(closeAllConnections).toHaveBeenCalledTimes(1);
  });
});

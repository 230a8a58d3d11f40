import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { startBreakableProxy } from '../../../test/support/breakable-proxy.js';
import { createTestRedis } from '../../../test/support/redis.js';
import { SenderWakeUp } from './sender-wake-up.js';

describe('SenderWakeUp', () => {
  afterEach(() => jest.restoreAllMocks());

  it('wakes again after Redis was unavailable, for any duration or from the start', async () => {
    const { url } = await createTestRedis();
    const proxy = await startBreakableProxy(url);
    proxy.cut();
    const near = new Redis(url);
    const far = new Redis(proxy.url, { lazyConnect: true, commandTimeout: 1, maxRetriesPerRequest: 1 });
    const duplicate = jest.spyOn(far, 'duplicate');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const [sending, listening] = [new SenderWakeUp(near), new SenderWakeUp(far)];
    try {
      let isAwake = false;
      listening.listen(() => (isAwake = true));
      const connection = duplicate.mock.results[0]!.value as Redis;
      const event = (name: string) => new Promise((resolve) => connection.once(name, resolve));
      // A connection with the default limits gives up sooner.
      for (let attempt = 0; attempt < 3; attempt++) await event('reconnecting');
      for (let outage = 0; outage < 2; outage++) {
        proxy.restore();
        await event('ready');
        for (isAwake = false; !isAwake; await near.ping()) sending.send();
        proxy.cut();
        await event('reconnecting');
      }
      expect(warn).not.toHaveBeenCalled();
    } finally {
      listening.onApplicationShutdown();
      for (const redis of [near, far]) redis.disconnect();
      await proxy.close();
    }
  });
});

import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { QUEUE_SETTINGS, SCRAPE_QUEUE } from '../../src/infrastructure/queue/queues.js';
import { startTestApplication, type TestApplication } from '../support/application.js';

describe('the scrape queue', () => {
  let service: TestApplication;
  afterEach(() => service.close());

  it.each(['api,worker,scheduler', 'worker', 'worker,scheduler'])(
    'is consumed with its own settings in a process of roles %s',
    async (roles) => {
      service = await startTestApplication({ ROLES: roles });
      const queue = service.app.get<Queue & { settings: object; handlers: object }>(
        getQueueToken(SCRAPE_QUEUE),
        { strict: false },
      );
      expect(queue.settings).toMatchObject(QUEUE_SETTINGS);
      expect(queue.handlers).toHaveProperty('__default__');
    },
  );
});

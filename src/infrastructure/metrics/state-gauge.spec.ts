import { Registry } from 'prom-client';
import { registerBacklogGauges, registerStateGauge } from './state-gauge.js';

const text = (name: string) => ({ name, help: 'Test' });

describe('a gauge for shared state', () => {
  it('is read on every scrape, and absent when its source fails', async () => {
    const registry = new Registry();
    const answers = [Promise.resolve(7), Promise.reject(new Error('away')), Promise.resolve(8)];
    for (const answer of answers) answer.catch(() => undefined);
    registerStateGauge(registry, text('waiting'), () => answers.shift()!);
    const scrapes = [await registry.metrics(), await registry.metrics(), await registry.metrics()];
    expect(scrapes.map((scrape) => /^waiting (\d+)$/m.exec(scrape)?.[1] ?? null)).toEqual(['7', null, '8']);
  });

  it('reads a backlog once for both its size and its age', async () => {
    const registry = new Registry();
    let reads = 0;
    registerBacklogGauges(registry, { count: text('waiting'), oldest: text('age') }, () => {
      reads += 1;
      return Promise.resolve({ count: 3, oldestSeconds: 60 });
    });
    const scrape = await registry.metrics();
    expect([reads, /^waiting 3$/m.test(scrape), /^age 60$/m.test(scrape)]).toEqual([1, true, true]);
  });
});

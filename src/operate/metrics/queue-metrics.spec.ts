import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { QueueMetrics } from './queue-metrics.js';
import { withFakes } from '../../../test/support/with-fakes.js';

describe('QueueMetrics', () => {
  it('shows the number of entries in each state that Redis reports', async () => {
    const registry = new Registry();
    const answers = [
      Promise.resolve([
        [null, 3],
        [null, 2],
        [null, 1],
      ]),
      Promise.resolve([
        [null, 4],
        [new Error('WRONGTYPE'), undefined],
        [null, 0],
      ]),
      Promise.reject(new Error('away')),
    ];
    for (const answer of answers) answer.catch(() => undefined);
    const redis = { pipeline: () => ({ exec: () => answers.shift()! }) };
    withFakes(QueueMetrics, redis, { registry });
    const shown = async (): Promise<string[]> =>
      [...(await registry.metrics()).matchAll(/^wss_queue_entries\{.*state="(\w+)"\} (\d+)$/gm)].map(
        ([, state, count]) => `${state} ${count}`,
      );
    expect(await shown()).toEqual(['waiting 3', 'active 2', 'delayed 1']);
    expect(await shown()).toEqual(['waiting 4', 'delayed 0']);
    expect(await shown()).toEqual([]);
  });

  it('delays the other metrics by at most one second when Redis does not respond', async () => {
    jest.useFakeTimers();
    const registry = new Registry();
    const redis = { pipeline: () => ({ exec: () => new Promise(() => undefined) }) };
    withFakes(QueueMetrics, redis, { registry });
    let shown: string | undefined;
    void registry.metrics().then((text) => (shown = text));
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();
    expect(shown).toContain('wss_queue_entries');
  });
});

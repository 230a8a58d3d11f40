import { Jetstream } from '../../platforms/bluesky/jetstream.js';
import { openSandbox } from '../../../test/support/sandbox.js';
import type { Sandbox } from '../server/sandbox.js';

const add = async ({ baseUrl }: Sandbox, title: string): Promise<void> => {
  const answer = await fetch(`${baseUrl}/__control/posts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ forum: 'askanything', title }),
  });
  expect(answer.status).toBe(200);
};

/** The texts of the first batch that has as many. */
async function heard(sandbox: Sandbox, position: string, count: number): Promise<string[]> {
  const stream = new Jetstream(`${sandbox.baseUrl}/jetstream`, 'agent/1.0');
  const texts: string[] = [];
  for await (const batch of stream.read(position, AbortSignal.timeout(60_000))) {
    texts.push(...batch.texts.map(({ text }) => text));
    if (texts.length >= count) break;
  }
  return texts;
}

describe('the stream of the synthetic Bluesky', () => {
  it('sends what appears while a client reads, and again from a position', async () => {
    const sandbox = await openSandbox({});
    const now = `${Date.now() * 1_000}`;
    const first = heard(sandbox, now, 1);
    await add(sandbox, 'A heron at the lake');
    expect(await first).toEqual(['A heron at the lake']);
    await add(sandbox, 'An egret');
    expect(await heard(sandbox, now, 2)).toEqual(['A heron at the lake', 'An egret']);
  });

  it('goes on after a reset of the platform', async () => {
    const sandbox = await openSandbox({});
    const first = heard(sandbox, `${Date.now() * 1_000}`, 1);
    await add(sandbox, 'Before');
    await first;
    await fetch(`${sandbox.baseUrl}/__control/reset`, { method: 'POST', body: '{}' });
    const now = `${Date.now() * 1_000}`;
    const second = heard(sandbox, now, 1);
    await add(sandbox, 'After');
    expect(await second).toEqual(['After']);
  });
});

import { ExportSlots } from './export-slots.js';

const never = new AbortController().signal;

describe('places for exports', () => {
  it('lets so many work and hands a place on in the order of asking', async () => {
    const slots = new ExportSlots({ running: 1, waiting: 2, waitMs: 60_000 });
    const order: string[] = [];
    const first = await slots.take(never);
    const second = slots.take(never).then((giveBack) => (order.push('second'), giveBack));
    const third = slots.take(never).then((giveBack) => (order.push('third'), giveBack));
    first();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
    // Given back for good: somebody new need not wait.
    (await slots.take(never))();
  });

  it('refuses with 503 and Retry-After when the line is full', async () => {
    const slots = new ExportSlots({ running: 1, waiting: 0, waitMs: 60_000 });
    await slots.take(never);
    await expect(slots.take(never)).rejects.toMatchObject({
      code: 'unavailable',
      extra: { headers: { 'Retry-After': '10' } },
    });
  });

  it('refuses who has waited too long, and forgets who went away', async () => {
    const slots = new ExportSlots({ running: 1, waiting: 2, waitMs: 1 });
    const giveBack = await slots.take(never);
    await expect(slots.take(never)).rejects.toMatchObject({ code: 'unavailable' });
    const gone = new AbortController();
    const waiting = slots.take(gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    giveBack();
    (await slots.take(never))();
  });
});

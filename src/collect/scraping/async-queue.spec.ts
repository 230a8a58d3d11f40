import { AsyncQueue } from './async-queue.js';

describe('AsyncQueue', () => {
  it('yields the heaviest item first and items of equal weight in insertion order', async () => {
    const queue = new AsyncQueue<string>((item) => item.length);
    for (const item of ['a', 'ccc', 'bb', 'b']) queue.push(item);
    queue.close();
    const items: string[] = [];
    for await (const item of queue) items.push(item);
    expect(items).toEqual(['ccc', 'bb', 'a', 'b']);
  });

  it('counts an item as unfinished until its consumer requests the next one', async () => {
    const queue = new AsyncQueue<string>();
    queue.push('a');
    queue.push('b');
    queue.close();
    const consumer = queue[Symbol.asyncIterator]();
    const unfinished = [queue.unfinished];
    for (let step = 0; step < 3; step += 1) {
      await consumer.next();
      unfinished.push(queue.unfinished);
    }
    expect(unfinished).toEqual([2, 2, 1, 0]);
  });

  it('counts the items of several consumers as unfinished', async () => {
    const queue = new AsyncQueue<string>();
    queue.push('a');
    queue.push('b');
    for (const consumer of [queue[Symbol.asyncIterator](), queue[Symbol.asyncIterator]()])
      await consumer.next();
    expect(queue.unfinished).toBe(2);
  });
});

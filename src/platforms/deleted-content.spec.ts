import { goneInThread } from './deleted-content.js';

describe('comments of a thread', () => {
  const gone = async (numbers: string[], elsewhere: Record<string, string>, asked: string[] = []) => {
    const found = await goneInThread(
      numbers,
      new Map([
        ['1', 'shown'],
        ['2', 'removed'],
      ]),
      (number) => {
        asked.push(number);
        return Promise.resolve(elsewhere[number] ?? null);
      },
      (state) => (state === null ? 'deleted' : state === 'removed' ? 'removed' : null),
      (number) => `x_${number}`,
    );
    return found.map(({ id, reason }) => [id, reason]);
  };

  it('are gone when their state says so, or when they are nowhere', async () => {
    expect(await gone(['1', '2', '3', '4'], { '4': 'shown' })).toEqual([
      ['x_2', 'removed'],
      ['x_3', 'deleted'],
    ]);
  });

  it('are left for the next pass when too many are missing', async () => {
    const asked: string[] = [];
    const many = Array.from({ length: 150 }, (_, index) => String(10 + index));
    expect(await gone(many, {}, asked)).toHaveLength(100);
    expect(asked).toHaveLength(100);
  });
});

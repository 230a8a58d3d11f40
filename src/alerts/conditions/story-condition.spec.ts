import type { FoundStory } from '../../content/stories/stories.service.js';
import { newStoriesOf } from './story-condition.js';

/** Stories by id; one named `A of B` was a part of B before. */
const found = (sizes: Record<string, number>): FoundStory[] =>
  Object.entries(sizes).map(([name, size]) => {
    const [id, formerId = null] = name.split(' of ');
    return { id, formerId, size } as FoundStory;
  });
const read = (known: string[] | null, sizes: Record<string, number>) => {
  const { news, story } = newStoriesOf({ known }, found(sizes));
  return { news: news.map(({ id }) => id), known: story.known };
};
const numbered = (count: number, name = 'a'): string[] =>
  Array.from({ length: count }, (_, number) => `${name}${number}`);

describe('the stories that trigger an alert', () => {
  it('are none in its first reading, which knows those that are large enough', () => {
    expect(read(null, { a: 4, b: 3, c: 2 })).toEqual({ news: [], known: ['a', 'b'] });
  });

  it('are those that reach three matches, each once', () => {
    expect(read(['a'], { a: 9, b: 3, c: 2 })).toEqual({ news: ['b'], known: ['b', 'a'] });
    expect(read(['b', 'a'], { a: 9, b: 8, c: 3 })).toEqual({ news: ['c'], known: ['c', 'a', 'b'] });
  });

  it('are no parts of known ones', () => {
    expect(read(['a'], { a: 9, 'b of a': 4, 'c of x': 3 })).toEqual({ news: ['c'], known: ['c', 'a', 'b'] });
  });

  it('stay known while they are not found', () => {
    const { known } = read(['a', 'b'], { b: 3 });
    expect(read(known, { a: 3 }).news).toEqual([]);
  });

  it('are twenty in one reading, the others in the next', () => {
    const all = Object.fromEntries(numbered(25).map((id) => [id, 3]));
    const { news, known } = read([], all);
    expect([news, known]).toEqual([numbered(20), numbered(20)]);
    expect(read(known, all).news).toEqual(numbered(25).slice(20));
  });

  it('forget first those that are no longer found', () => {
    const { known } = read([...numbered(10, 'old'), ...numbered(3_995)], { a3994: 3, b: 3 });
    expect(known).toHaveLength(4_000);
    expect(known!.slice(0, 3)).toEqual(['b', 'a3994', 'old0']);
  });
});

import fc from 'fast-check';
import { growthOf } from '../../test/support/growth.js';
import { highlightColumns, highlightsOf } from './highlights.js';

const TEXTS = ['title', 'selftext'];
const of = (q: string, title: string, selftext = ''): Record<string, string> =>
  highlightsOf({ highlight_title: title, highlight_selftext: selftext }, TEXTS, q);

describe('highlights', () => {
  it('read the texts from columns of their own', () => {
    expect(highlightColumns(TEXTS)).toEqual([
      'title AS "highlight_title"',
      'selftext AS "highlight_selftext"',
    ]);
  });

  it.each([
    ['battery', 'Batteries & chargers', '<mark>Batteries</mark> &amp; chargers'],
    ['=organ', 'An organ, not an organization', 'An <mark>organ</mark>, not an organization'],
    ['"solid state"', 'solid solid state', 'solid <mark>solid</mark> <mark>state</mark>'],
    [
      '"apple phone"~3',
      'the phone that apple made, a phone',
      'the <mark>phone</mark> that <mark>apple</mark> made, a <mark>phone</mark>',
    ],
    ['wifi', 'free wi-fi here', 'free <mark>wi-fi</mark> here'],
    ['c++', 'C++ and c', '<mark>C++</mark> and c'],
    ['東京', '私は東京に', '私は<mark>東京</mark>に'],
    ['cafe', 'un café', 'un <mark>café</mark>'],
    ['batter* -linux', 'battery', '<mark>battery</mark>'],
  ])('of %j in %j mark just what matched', (q, title, expected) => {
    expect(of(q, title)).toEqual({ title: expected });
  });

  it.each(['', 'x'])('end between characters of a text without spaces after "%s"', (before) => {
    expect(of('battery', '', `battery,${before}${'😀'.repeat(300)}`).selftext).not.toMatch(/\p{Surrogate}/u);
  });

  it('are only in the field that the query names, and absent where nothing matched', () => {
    expect(of('title:solar', 'solar', 'solar')).toEqual({ title: '<mark>solar</mark>' });
    expect(of('text:solar', 'solar', 'solar')).toEqual({ selftext: '<mark>solar</mark>' });
    expect(of('wind', 'solar', 'solar')).toEqual({});
    expect(of('-solar author:ann', 'solar')).toEqual({});
  });

  it('are at most two fragments of a long text', () => {
    const filler = 'word '.repeat(100);
    const { selftext } = of('solar', '', `${filler}solar ${filler}solar ${filler}solar`);
    expect(selftext!.match(/<mark>solar<\/mark>/g)).toHaveLength(2);
    expect(selftext!.split(' … ')).toHaveLength(2);
    expect(selftext!.length).toBeLessThan(600);
  });

  it('show the whole title, and mark at most 32 words of a query in it', () => {
    const words = Array.from({ length: 40 }, (_, n) => `w${n}`);
    const { title } = of(words.join(' OR '), words.join(' '));
    expect(title).toBe(words.map((word, n) => (n < 32 ? `<mark>${word}</mark>` : word)).join(' '));
  });

  it('mark the first 32 words of a phrase that has more', () => {
    const words = Array.from({ length: 40 }, (_, n) => `w${n}`);
    expect(of(`"${words.join(' ')}"`, words.join(' ')).title!.match(/<mark>/g)).toHaveLength(32);
  });

  it('leave out words near each other that exceed the limit together', () => {
    const words = Array.from({ length: 30 }, (_, n) => `w${n}`);
    const { title } = of(`${words.join(' OR ')} OR "x y z"~3 OR "x y"~3`, 'w0 x y z');
    expect(title).toBe('<mark>w0</mark> <mark>x</mark> <mark>y</mark> z');
  });

  it('mark words in the first 20,000 characters, without a word that these end in', () => {
    const { selftext } = of('solar', '', `${'x '.repeat(9_997)}solar ${'x '.repeat(500)}solar`);
    expect(selftext!.match(/<mark>/g)).toHaveLength(1);
    expect(of('solar', '', `${'x '.repeat(9_998)}solars`)).toEqual({});
    expect(of('x*', '', 'x'.repeat(20_001))).toHaveProperty('selftext');
  });

  it('mark what a plain search finds, of any words side by side or near each other', () => {
    const word = fc.constantFrom('b', 'c', 'd', 'e');
    const some = (maxLength: number) => fc.array(word, { minLength: 2, maxLength });
    fc.assert(
      fc.property(some(30), some(4), fc.integer({ min: 0, max: 8 }), (text, wanted, distance) => {
        const q = `"${wanted.join(' ')}"${distance === 0 ? '' : `~${distance}`}`;
        const found = distance === 0 ? sideBySide(text, wanted) : near(text, wanted, distance);
        const title = text.map((one, at) => (found.has(at) ? `<mark>${one}</mark>` : one)).join(' ');
        expect([q, of(q, text.join(' '))]).toEqual([q, found.size === 0 ? {} : { title }]);
      }),
      { seed: 44, numRuns: 2_000 },
    );
  });

  it.each([
    ['a phrase', (words: string) => `"${words}"`],
    ['words near each other', (words: string) => `"${words}"~100`],
    ['single words', (words: string) => words],
    ['alternatives', (words: string) => words.replaceAll(' ', ' OR ')],
  ])('need linear time for %s as long as the text', async (_, queryOf) => {
    const growth = await growthOf(
      (size) => of(queryOf('b '.repeat(size) + 'c'), '', 'b '.repeat(2 * size) + 'c'),
      40,
    );
    expect(growth).toBeLessThan(3);
  });

  it('need the same time whatever the distance of words', async () => {
    const text = `zq ${'b '.repeat(1_000)}c`;
    const growth = await growthOf((distance) => of(`zq "b c"~${distance}`, '', text), 25, 1.3);
    expect(growth).toBeLessThan(1.5);
  });
});

/** The indexes of words that stand side by side somewhere. */
function sideBySide(text: readonly string[], wanted: readonly string[]): Set<number> {
  const starts = text.flatMap((_, start) =>
    wanted.every((one, at) => text[start + at] === one) ? [start] : [],
  );
  return new Set(starts.flatMap((start) => wanted.map((_, at) => start + at)));
}

/** The indexes of words that are within a distance of one of them, all together. */
function near(text: readonly string[], wanted: readonly string[], distance: number): Set<number> {
  const isWanted = (at: number): boolean => wanted.includes(text[at]!);
  const windows = text.flatMap((_, start) => {
    const within = text.slice(start, start + distance + 1);
    return isWanted(start) && wanted.every((one) => within.includes(one))
      ? [within.map((__, at) => start + at)]
      : [];
  });
  return new Set(windows.flat().filter(isWanted));
}

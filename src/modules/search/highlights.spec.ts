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
});

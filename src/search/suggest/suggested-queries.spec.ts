import { formsOf, suggestedQueries } from './suggested-queries.js';
import type { Uses } from './name-uses.js';
import { NO_WORD } from './word-senses.js';

const about = (...names: string[]) => ({ names, others: [], sites: [] });
const UNKNOWN = { senses: NO_WORD, uses: null };
/** Uses of a name that pairs of words do not tell from the ordinary word. */
const usesOf = (names: number, ordinary: number, more: Partial<Uses> = {}): Uses => ({
  ...{ names, ordinary, company: [], ordinaryTexts: [] },
  exclusions: { pairs: [], names, ordinary },
  ...more,
});
const BIRD = {
  isWord: true,
  isFrequent: true,
  meaning: 'a bird',
  telling: ['beak', 'wing', 'nest', 'egg', 'owl'],
};
/** The queries for the name "Swift", each with whether it is broad. */
const forSwift = (uses: Uses, senses: Partial<typeof BIRD> = {}, rarest: string[] = []) =>
  suggestedQueries(about('Swift'), rarest, { senses: { ...BIRD, ...senses }, uses }).map(({ q, isBroad }) => [
    q,
    isBroad,
  ]);
const BROAD = ['=Swift', true];
const PLAINLY = [['=Swift -beak -wing -nest -egg', false], BROAD];
const WITH_PAIRS = [['=Swift -"swift bird" -beak -wing -nest -egg', false], BROAD];
const PRODUCTS =
  '"swift app" OR "use swift" OR "using swift" OR "swift vs" OR "vs swift" OR "swift alternative" OR "alternative to swift" OR "swift support" OR "swift pricing"';
const IN_COMPANY = [[`=Swift (${PRODUCTS})`, false], BROAD];

it.each([
  ['Acme', ['"Acme"']],
  ['Acme Widgets', ['"Acme Widgets"', '"AcmeWidgets"']],
  ['AcmeWidgets', ['"AcmeWidgets"', '"Acme Widgets"']],
  ['acme-widgets_now', ['"acmewidgetsnow"', '"acme widgets now"']],
  [' "Acme" ', ['"Acme"']],
])('the spellings of %s are %j', (name, forms) => {
  expect(formsOf(name)).toEqual(forms);
});

describe('queries for a text', () => {
  it.each([
    [[], []],
    [['owl'], [['owl', 'The rarest word.']]],
    [
      ['owl', 'nest'],
      [
        ['"owl nest"~10', '“owl”, “nest” near each other.'],
        ['owl nest', '“owl”, “nest” together.'],
      ],
    ],
    [
      ['owl', 'nest', 'egg', 'wing'],
      [
        ['owl nest egg', '“owl”, “nest”, “egg” together.'],
        ['"owl nest"~10', '“owl”, “nest” near each other.'],
        ['owl nest', '“owl”, “nest” together.'],
      ],
    ],
  ])('without a name, of the words %j', (rarest, expected) => {
    const found = suggestedQueries(about(), rarest, UNKNOWN);
    expect(found.map(({ q, why }) => [q, why])).toEqual(expected);
  });

  it('with names have all spellings of each, and words of the description', () => {
    const subject = { ...about('Acme', 'Big Bolt', 'Acme'), sites: ['acme.org'] };
    expect(suggestedQueries(subject, ['a', 'b c', 'd', 'e'], UNKNOWN)).toEqual([
      { q: '=Acme OR =acme.org', why: 'All spellings of “Acme”.', isBroad: false },
      {
        q: '(=Acme OR =acme.org) (a OR "b c" OR d)',
        why: 'With a word of the description: “a”, “b c”, “d”.',
        isBroad: false,
      },
      { q: '"Big Bolt" OR =BigBolt', why: 'All spellings of “Big Bolt”.', isBroad: false },
      { q: '=Acme', why: 'All spellings of “Acme”.', isBroad: false },
    ]);
  });
});

describe('queries for a name that is also an ordinary word', () => {
  const pairs = (names: number, ordinary: number): Partial<Uses> => ({
    exclusions: { pairs: ['swift bird'], names, ordinary },
  });
  const RARE = { isFrequent: false };

  it.each<[string, Uses, Partial<typeof BIRD>, unknown[][]]>([
    ['too few texts of a rare word', usesOf(2, 2), RARE, PLAINLY],
    ['too few texts of a frequent word', usesOf(4, 0), {}, IN_COMPANY],
    ['nearly all texts', usesOf(17, 3), {}, PLAINLY],
    [
      'nearly all texts, and no meaning that is left out',
      usesOf(17, 3),
      { telling: [] },
      [['=Swift', false]],
    ],
    ['most texts with pairs that leave few out', usesOf(10, 10, pairs(7, 1)), {}, WITH_PAIRS],
    ['few texts with pairs that leave too many out', usesOf(10, 40, pairs(6, 1)), {}, IN_COMPANY],
    ['few texts with pairs that leave too many ordinary ones', usesOf(10, 40, pairs(7, 2)), {}, IN_COMPANY],
    ['few texts with pairs that leave too few', usesOf(4, 36, pairs(4, 0)), {}, IN_COMPANY],
    ['five texts with pairs', usesOf(5, 35, pairs(5, 0)), {}, WITH_PAIRS],
    ['a third of the texts of a frequent word', usesOf(7, 13), {}, PLAINLY],
    ['a third of the texts of a frequent word, and pairs', usesOf(7, 13, pairs(1, 9)), {}, WITH_PAIRS],
    ['fewer texts of a frequent word', usesOf(6, 14), {}, IN_COMPANY],
    ['four texts of a frequent word', usesOf(4, 4), {}, IN_COMPANY],
    ['a quarter of the texts of a rare word', usesOf(3, 9), RARE, PLAINLY],
    ['fewer texts of a rare word', usesOf(3, 10), RARE, IN_COMPANY],
    ['two texts of a rare word', usesOf(2, 4), RARE, IN_COMPANY],
  ])('that is a name in %s', (_case, uses, senses, expected) => {
    expect(forSwift(uses, senses)).toEqual(expected);
  });

  it('have the words that come with it, and no phrase of a text with the ordinary word', () => {
    const uses = usesOf(5, 15, {
      company: ['apple', 'code'],
      ordinaryTexts: ['i use swift app', 'as swift vs'],
    });
    const left = PRODUCTS.split(' OR ').filter((one) => !/swift app|"use|swift vs/.test(one));
    expect(forSwift(uses, {}, ['code'])).toEqual([
      [`=Swift ("Swift code"~10 OR "Swift apple"~10 OR ${left.join(' OR ')})`, false],
      BROAD,
      ['=Swift code', false],
    ]);
  });

  it.each([
    [usesOf(2, 2), 'All spellings of “Swift”, which is also an ordinary word (a bird).'],
    [usesOf(4, 1), '4 of 5 texts use “Swift” as a name.'],
    [usesOf(5, 5, pairs(5, 0)), '“Swift” is also an ordinary word (a bird).'],
  ])('say why (%#)', (uses, why) => {
    const evidence = { senses: { ...BIRD, isFrequent: false }, uses };
    const [query] = suggestedQueries(about('Swift'), [], evidence);
    expect(query!.why).toMatch(
      new RegExp(`^${why.replace(/[().]/g, '\\$&')} Leaves out .*“beak”, “wing”, “nest”, “egg”\\.$`),
    );
  });
});

import { AlertMatcher } from './alert-matcher.js';
import { refuseKeyword } from '../alert/keyword.js';
import { type MatchablePost, recordOf } from './alertable-record.js';

const aPost = (post: Partial<MatchablePost>) =>
  recordOf({
    id: 't3_a',
    forum: 'technology',
    title: '',
    selftext: '',
    author: 'ann',
    createdUtc: new Date(0),
    ...post,
  });

const found = async (keyword: string, selftext: string): Promise<boolean> => {
  const matcher = await AlertMatcher.compile([{ id: 'a', keywords: [keyword], forums: [] }]);
  return matcher.match(aPost({ selftext })).length > 0;
};

describe('which keyword is found in which text', () => {
  it.each([
    // Whole words.
    ['rust', 'Rust is here', true],
    ['rust', 'rust', true],
    ['rust', 'I trust you', false],
    ['rust', 'rusty', false],
    ['rust', '(rust)', true],
    ['rust', 'rust, go', true],
    ['rust', '**rust**', true],
    ['rust', '_rust_', true],
    ['rust', 'rust2', false],
    ['4090', 'rtx4090', false],
    ['rtx 4090', 'an RTX 4090!', true],
    // Phrases.
    ['machine learning', 'Machine\n\t learning', true],
    ['machine learning', 'machine-learning', true],
    ['state-of-the-art', 'the state of the art', true],
    ['machine learning', 'machine. Learning', true],
    ['machine learning', 'machine deep learning', false],
    ['machine learning', 'machine learnings', true],
    ['"machine learning"', 'machine learnings', false],
    ['=rust', 'rusts', false],
    ['a b a c', 'a b a b a c', true],
    ['covid-19', 'COVID–19', true],
    ['covid', 'covid-19', true],
    // Apostrophes.
    ['tesla', "Tesla's plant", true],
    ["don't", 'I don’t know', true],
    ["l'avion", 'dans l’avion', true],
    ['avion', "dans l'avion", true],
    // Punctuation that belongs to the keyword.
    ['c++', 'modern C++ code', true],
    ['c++', 'c++.', true],
    ['c++', 'I like c', false],
    ['c++', 'c++17', true],
    ['c#', 'C#, Java', true],
    ['c#', 'c', false],
    ['node.js', 'uses Node.js.', true],
    ['node.js', 'node js', true],
    ['.net', 'the .NET runtime', true],
    ['.net', 'asp.net', false],
    ['-40%', 'down -40% today', true],
    ['-40%', '(−40%)', true],
    ['-40%', 'between 5-40% of', true],
    ['100%', '100%', true],
    ['at&t', 'AT&T raised', true],
    ['$gme', 'buy $GME now', true],
    ['$gme', 'us$gme', false],
    ['u.s.', 'the U.S. said', true],
    ['r/rust', 'see /r/rust', true],
    ['https://example.com', 'go to https://example.com/a', true],
    // Case, accents, width, ligatures.
    ['cafe', 'CAFÉ', true],
    ['café', 'cafe', true],
    ['café', 'cafe\u0301', true],
    ['strasse', 'STRAẞE', true],
    ['straße', 'strasse', true],
    ['istanbul', 'İSTANBUL', true],
    ['diyarbakir', 'Diyarbakır', true],
    ['οδος', 'ΟΔΌΣ', true],
    ['rust', 'RUST', true],
    ['office', 'oﬃce', true],
    ['lodz', 'Łódź', true],
    ['soft', 'so\u00adft', true],
    ['ёж', 'ЕЖ', true],
    ['tesla', 'Tesla™', true],
    // Scripts without spaces.
    ['東京', '今日は東京に行く', true],
    ['東京', '東 京', false],
    ['がく', 'か\u3099くせい', true],
    ['かく', 'がくせい', false],
    ['ガ', 'ｶﾞ', true],
    ['ラーメン', 'うまいラーメン屋', true],
    ['삼성', '삼성은', true],
    ['가', '각', false],
    ['tesla', '買tesla股', true],
    ['ภาษา', 'พูดภาษาไทย', true],
    ['हिन्दी', 'मैं हिन्दी में', true],
    ['हिन्', 'हिन्दी', false],
    // Pictographs.
    ['🚀', 'to the moon🚀🚀', true],
    ['🚀', 'no rocket', false],
    ['👍', '👍🏽', true],
    ['❤', '❤\ufe0f', true],
    ['🚀'.repeat(200), '🚀'.repeat(200), true],
  ])('%s in "%s": %s', async (keyword, text, expected) => {
    expect(refuseKeyword(keyword)).toBeNull();
    expect(await found(keyword, text)).toBe(expected);
  });
});

describe('refuseKeyword', () => {
  it.each(['', '   ', '---', '...', '?!', '\u0301', '\u200b', '\u00ad', '* *', 'x'.repeat(201)])(
    'refuses "%s"',
    async (keyword) => {
      expect(refuseKeyword(keyword)).toMatch(/^must /);
      expect(await found(keyword, `a ${keyword} b`)).toBe(false);
    },
  );
});

describe('AlertMatcher', () => {
  const post = { forum: 'Technology', title: 'Rust and Go', selftext: 'Go beats C++.' };
  const record = aPost(post);

  it('reports every alert once, with its keywords in order of appearance', async () => {
    const matcher = await AlertMatcher.compile([
      { id: '1', keywords: ['go', 'RUST', 'rust', 'zig'], forums: [] },
      { id: '2', keywords: ['zig'], forums: [] },
      { id: '3', keywords: ['c++', 'Rúst'], forums: [] },
    ]);
    const expected = [
      { alertId: '1', keywords: ['RUST', 'go'] },
      { alertId: '3', keywords: ['Rúst', 'c++'] },
    ];
    expect(matcher.match(record)).toEqual(expected);
    expect(matcher.match(record)).toEqual(expected);
    expect(matcher.match(aPost({}))).toEqual([]);
  });

  it('matches only the forums of an alert, whatever their case', async () => {
    const matcher = await AlertMatcher.compile([
      { id: 'here', keywords: ['go'], forums: ['programming', 'TECHNOLOGY', 'technology'] },
      { id: 'elsewhere', keywords: ['go'], forums: ['programming'] },
    ]);
    expect(matcher.match(record)).toEqual([{ alertId: 'here', keywords: ['go'] }]);
    expect(matcher.match(aPost({ ...post, forum: 'pictures' }))).toEqual([]);
  });

  it('finds no phrase that spans title and body', async () => {
    const matcher = await AlertMatcher.compile([{ id: '1', keywords: ['go go'], forums: [] }]);
    expect(matcher.match(record)).toEqual([]);
  });

  it('finds keywords that contain and overlap one another', async () => {
    const keywords = ['a b c d', 'b c', 'c', 'b c x', 'c d e'];
    const matcher = await AlertMatcher.compile([{ id: '1', keywords, forums: [] }]);
    expect(matcher.match(aPost({ title: 'a b c d e' }))[0]!.keywords).toEqual([
      'b c',
      'c',
      'a b c d',
      'c d e',
    ]);
  });

  it('copes with an absence of alerts, very long words and hostile repetition', async () => {
    expect((await AlertMatcher.compile([])).match(record)).toEqual([]);
    const matcher = await AlertMatcher.compile([
      { id: '1', keywords: [`${'a '.repeat(99)}b`, '東'.repeat(199)], forums: [] },
    ]);
    const match = (selftext: string) => matcher.match(aPost({ selftext })).length;
    expect(match('a '.repeat(20_000))).toBe(0);
    expect(match(`${'a '.repeat(200)}b`)).toBe(1);
    expect(match('東'.repeat(40_000))).toBe(1);
    expect(match('x'.repeat(40_000))).toBe(0);
  });

  it('finds a word and a phrase at the end of a text of many thousand words', async () => {
    const matcher = await AlertMatcher.compile([{ id: '1', keywords: ['end', 'very end'], forums: [] }]);
    const selftext = `${'word '.repeat(5_000)}at the very end`;
    expect(matcher.match(aPost({ selftext }))[0]?.keywords).toEqual(['end', 'very end']);
  });

  it('grows with keywords and forums, not with their product', async () => {
    const sized = async (count: number): Promise<number> => {
      const watching = Array.from({ length: count }, (_, id) => ({
        id: String(id),
        keywords: Array.from({ length: 100 }, (_one, at) => `word${id} number${at}`),
        forums: Array.from({ length: 100 }, (_one, at) => `forum${at}`),
      }));
      return (await AlertMatcher.compile(watching)).size;
    };
    expect(await sized(120)).toBeLessThan(2.1 * (await sized(60)));
  });

  it('compiles one alert at a time and yields when a time slice is used up', async () => {
    let turns = 0;
    let isCompiled = false;
    const countTurns = (): void => {
      turns += 1;
      if (!isCompiled) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    let time = 0;
    // 10 ms pass between two readings of the clock, which happen once for each alert and once for each of its 20
    // tokens.
    const watching = Array.from({ length: 20 }, (_, id) => ({
      id: String(id),
      keywords: [`k${id}`],
      forums: [],
    }));
    await AlertMatcher.compile(watching, () => (time += 10));
    isCompiled = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});

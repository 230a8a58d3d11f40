import { Kind, tokenize } from './tokens.js';
import { WordTable } from './word-table.js';

describe('tokenize', () => {
  const words = new WordTable();
  const texts = (text: string): string[] => tokenize(text, words).map((token) => token.text);

  it.each([
    ["Don't stop, OK?", ["don't", 'stop', ',', 'ok', '?']],
    ['wait... what?!!', ['wait', '...', 'what', '!!?']],
    ['state-of-the-art', ['state', 'of', 'the', 'art']],
    ['#BestDayEver #NASA', ['best', 'day', 'ever', 'nasa']],
    ['nice :-) xD <3', ['nice', ':-)', 'xd', '<3']],
    ['a:different http://x', ['a', ':', 'different', 'http', ':', '/', '/', 'x']],
    ['so 😂👍🏽', ['so', '😂', '👍']],
    ['f*ck', ['f*ck']],
    ['one\n\ntwo.\nthree', ['one', '.', 'two', '.', 'three']],
  ])('%j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('records capitals, elongated letters and hyphens', () => {
    const [loud, drawn, first, second] = tokenize('LOUD sooo well-made', words);
    expect(loud).toMatchObject({ kind: Kind.Word, caps: true, text: 'loud' });
    expect(drawn?.word?.elongated).toBe(true);
    expect([first?.joined, second?.joined]).toEqual([false, true]);
  });
});

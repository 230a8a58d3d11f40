import { linksOf, tagsOf, textOf } from './bluesky-text.js';

const link = (byteStart: number, byteEnd: number, uri: string) => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});
const LONG = 'https://www.example.com/a/long/path';

describe('the text of a record of Bluesky', () => {
  it.each([
    ['a cut address', 'see www.example.com/a/lo...', [link(4, 27, LONG)], `see ${LONG}`],
    [
      'bytes of characters before it',
      'é👍 example.com ü',
      [link(7, 18, 'https://example.com/')],
      'é👍 https://example.com/ ü',
    ],
    ['a word', 'I like cheese.', [link(7, 13, 'https://cheese.example')], 'I like cheese.'],
    ['a name', 'read this', [link(5, 9, LONG)], 'read this'],
    ['a place that cuts a character', 'é example.com', [link(1, 14, LONG)], 'é example.com'],
    ['a place beyond the text', 'www.example.com', [link(0, 99, LONG)], 'www.example.com'],
    ['places that overlap', 'www.example.com', [link(0, 15, LONG), link(4, 15, 'https://example.com')], LONG],
    ['places of other types', 'text', [{ index: { byteStart: '0' }, features: [null, 5] }, 7], 'text'],
  ])('has the whole address in place of a shortened one: %s', (_, text, facets, expected) => {
    expect(textOf({ text, facets })).toBe(expected);
  });

  it('has the links and tags, within the text and outside of it', () => {
    const facets = [link(0, 4, LONG), { features: [{ tag: 'RStats' }, { tag: 'data' }] }];
    expect(linksOf({ text: 'text', facets })).toEqual([LONG]);
    expect(tagsOf({ text: 'text', facets, tags: ['rstats', 'new', 5] })).toEqual(['RStats', 'data', 'new']);
  });
});

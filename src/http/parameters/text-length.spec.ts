import { validateSync } from 'class-validator';
import { Length, MaxLength } from './text-length.js';

class Texts {
  @Length(1, 3)
  name: unknown = 'a';

  @Length(1, 3, { each: true })
  names: unknown = ['a'];

  @MaxLength(3)
  note: unknown = '';
}

const messagesFor = (given: Partial<Texts>): string[] =>
  validateSync(Object.assign(new Texts(), given)).flatMap(({ constraints }) => Object.values(constraints!));

describe('the length of a text', () => {
  it.each(['abc', '😀😀😀', '❤️a', 'e\u0301a'])('counts code points: %s has up to three', (text) => {
    expect(messagesFor({ name: text, names: [text], note: text })).toEqual([]);
  });

  it.each(['abcd', '😀😀😀😀', '❤️❤️', 'a\ufe0fb\ufe0f', 'x'.repeat(1_000)])(
    'rejects %s, which has more',
    (text) => {
      expect(messagesFor({ name: text, names: ['a', text], note: text })).toEqual([
        'name must have 1 to 3 characters',
        'each value in names must have 1 to 3 characters',
        'note must have at most 3 characters',
      ]);
    },
  );

  it('is checked for text only', () => {
    expect(messagesFor({ name: '' })).toEqual(['name must have 1 to 3 characters']);
    expect(messagesFor({ note: ['abc'] })).toEqual(['note must have at most 3 characters']);
  });
});

import { MARKS, plainText } from './markup.js';

describe('plainText', () => {
  it.each([
    ['[the docs](https://example.com/x "title") help', 'the docs help'],
    ['see https://example.com/a_b?c=d now', `see  ${MARKS.url}  now`],
    ['ask /u/some_one in r/typescript', `ask  ${MARKS.user}  in  ${MARKS.forum}`],
    ['cc @someone', `cc  ${MARKS.user}`],
    ['mail me@example.com', `mail  ${MARKS.url}`],
    ['it’s Tom &amp; Ann', "it's Tom & Ann"],
    ['[NAME] and [name], not [names]', `${MARKS.name}  and  ${MARKS.name} , not [names]`],
    ['> quoted\nmine', 'mine'],
    ['> only a quote', '> only a quote'],
    ['>!spoiler!< stays', '>!spoiler!< stays'],
    ['>!a spoiler is no quote!<\nmine', '>!a spoiler is no quote!<\nmine'],
    ['run `npm i` first', 'run   first'],
    ['a\u200bb\ue000c', 'abc'],
  ])('%j becomes %j', (raw, plain) => {
    expect(plainText(raw)).toBe(plain);
  });
});

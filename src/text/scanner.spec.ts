import fc from 'fast-check';
import { isSteep } from '../../test/support/steep-work.js';
import { SCANNER } from './scanner.js';
import { TokenKind } from './token-list.js';

/** The words of a text as `form@position`, without repeated spellings. */
function words(text: string): string {
  SCANNER.scan(text);
  const { count, ids, positions, kinds } = SCANNER.tokens;
  return Array.from({ length: count }, (_, token) => token)
    .filter((token) => kinds[token] !== TokenKind.Repeat)
    .map((token) => `${SCANNER.terms.term(ids[token]!).form}@${positions[token]!}`)
    .join(' ');
}

describe('the words of a text', () => {
  it.each([
    ['The Who, live.', 'the@1 who@2 live@3'],
    ['good product.Recommended', 'good@1 product@2 recommended@3'],
    ['iOS/Android', 'ios@1 android@2'],
    ['free wi-fi here', 'free@1 wi@2 fi@3 wifi@2 here@4'],
    ['ann_smith', 'ann@1 smith@2 annsmith@1'],
    ['_rust_ **bold**', 'rust@1 bold@2'],
    ...['s', 't', 'd', 'm', 'll', 're', 've'].flatMap((ending) => [
      [`it'${ending} on`, `it@1 it${ending}@1 on@2`],
      [`IT’${ending.toUpperCase()} ON`, `it@1 it${ending}@1 on@2`],
    ]),
    ['don’t do', 'dont@1 do@2'],
    ['l’avion', 'l@1 avion@2 lavion@1'],
    ['C++ or C#, not c', 'c@1 c++@1 or@2 c@3 c#@3 not@4 c@5'],
    ['asp.net on .NET', 'asp@1 net@2 on@3 net@4 .net@4'],
    ['AT&T', 'at@1 t@2 at&t@1'],
    ['AT&amp;T', 'at@1 t@2 at&t@1'],
    ['see r/buildapc and @ann', 'see@1 r@2 buildapc@3 and@4 ann@5 @ann@5'],
    ['#machine_learning #1', 'machine@1 learning@2 machinelearning@1 #machinelearning@1 1@3 #1@3'],
    ['$TSLA at $1,299.99', 'tsla@1 $tsla@1 at@2 1299@3 99@4 $1299@3'],
    ['50€ or 40%', '50@1 €50@1 or@2 40@3 40%@3'],
    ['C+ C+++ C++x C+x C#x', 'c@1 c+@1 c@2 c++@2 c@3 c++@3 x@4 c@5 x@6 c@7 x@8'],
    ['it is C+', 'it@1 is@2 c@3 c+@3'],
    ['5£ 5¥ 5$ 5%', '5@1 £5@1 5@2 ¥5@2 5@3 $5@3 5@4 5%@4'],
    ['5%x 5$x x€ x%', '5@1 x@2 5@3 x@4 x@5 x@6'],
    ['1,2999 1,29 x,299 1,299x', '1@1 2999@2 1@3 29@4 x@5 299@6 1@7 299x@8'],
    ['12,345,678', '12345678@1'],
    ['12.345 123.456 1234.567', '12@1 345@2 12345@1 123@3 456@4 123456@3 1234@5 567@6'],
    ['A.B a.b-c', 'a@1 b@2 a@3 b@4 c@5 bc@4'],
    ["rock'n'roll l'ami n't can't", 'rock@1 n@2 roll@3 rocknroll@1 l@4 ami@5 lami@4 nt@6 cant@7'],
    ['R&D&E', 'r@1 d@2 e@3 r&d&e@1'],
    ['#a_b @a_b @a.b $a-b', 'a@1 b@2 ab@1 #ab@1 a@3 b@4 ab@3 @ab@3 a@5 b@6 @a@5 a@7 b@8 ab@7 $a@7'],
    ['a-b-c-d-e-f x', 'a@1 b@2 c@3 d@4 e@5 f@6 abcdef@1 x@7'],
    ['a-b-c-d-e-f-g x', 'a@1 b@2 c@3 d@4 e@5 f@6 g@7 x@8'],
    ['..NET a.NET .5', 'net@1 a@2 net@3 5@4'],
    ['🇩🇪 x 🇩x 😀 y', '🇩🇪@1 x@2 🇩@3 x@4 😀@5 y@6'],
    ['it was -4', 'it@1 was@2 4@3'],
    ['v5.1.2', 'v5@1 1@2 2@3'],
    ['U.S.A.', 'u@1 s@2 a@3 usa@1'],
    ['a@example.org', 'a@1 example@2 org@3'],
    ['https://www.example.com/a?b=1', 'https@1 www@2 example@3 com@4 a@5 b@6 1@7'],
    ['List<String> <b>bold</b>', 'list@1 string@2 bold@3'],
    ['some\\_name &#x200B; end', 'some@1 name@2 somename@1 end@3'],
    ['how &amp; why', 'how@1 amp@2 why@3'],
  ])('%j are %j', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it.each([
    ['CAFÉ cafe\u0301 naïve', 'cafe@1 cafe@2 naive@3'],
    ['STRAẞE straße ﬁre Łódź', 'strasse@1 strasse@2 fire@3 lodz@4'],
    ['ＦＵＬＬ İSTANBUL ΟΔΌΣ οδος', 'full@1 istanbul@2 οδοσ@3 οδοσ@4'],
    ['Ёж ёж Йод', 'еж@1 еж@2 йод@3'],
    ['bat\u200btery so\u00adft Tesla™', 'battery@1 soft@2 tesla@3'],
    ['हिन्दी में', 'हिन्दी@1 में@2'],
    ['کتاب كتاب تبریز تبريز', 'كتاب@1 كتاب@2 تبريز@3 تبريز@4'],
    ['موسيقى خانۀ مدرسة ہے', 'موسيقي@1 خانه@2 مدرسه@3 هي@4'],
    ['۱۴۰۳ ٢٠٢٤ २०२४ ๒๕๖๗', '1403@1 2024@2 2024@3 2567@4'],
    ['٤٠٪ ١٬٢٩٩ １，２９９ Ｃ＋＋', '40@1 40%@1 1299@2 1299@3 c@4 c++@4'],
  ])('of %j are folded to %j', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it.each([
    ['东京塔', '东京@1 京塔@2 塔@3'],
    ['買tesla股', '買@1 tesla@2 股@3'],
    ['삼성은 ภาษา', '삼성@1 성은@2 은@3 ภา@4 าษ@5 ษา@6 า@7'],
    ['か\u3099く ｶﾞ', 'がく@1 く@2 ガ@3'],
    ['달 ㄱㅏ ｶﾞｲﾄﾞ', '달@1 가@2 ガイ@3 イド@4 ド@5'],
    ['秋の#日本旅行!', '秋の@1 の@2 日本@3 本旅@4 旅行@5 行@6 #日本旅行@3'],
    ['#BTS_컴백 @名前', 'bts@1 컴백@2 백@3 #bts컴백@1 名前@4 前@5 @名前@4'],
    ['@bob의 #本', 'bob@1 @bob@1 의@2 本@3 #本@3'],
    ['family 👨\u200d👩\u200d👧', 'family@1 👨@2 👩@3 👧@4'],
    ['👍🏽 ❤\ufe0f 🇩🇪', '👍@1 ❤@2 🇩🇪@3'],
  ])('of %j are %j without spaces', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('are the same in composed and decomposed texts', () => {
    const texts = ['한국어 테스트', 'がいど ガイド', 'café #달력', 'ที่นี่ ព្រះ မြန်မာ'];
    for (const text of texts) expect(words(text.normalize('NFD'))).toBe(words(text.normalize('NFC')));
  });

  it('have the digits of every script by value', () => {
    const systems = Intl.supportedValuesOf('numberingSystem').filter((system) => system !== 'hanidec');
    for (const numberingSystem of systems) {
      const number = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
      expect([numberingSystem, words(number.format(1_234_567_890))]).toEqual([
        numberingSystem,
        '1234567890@1',
      ]);
    }
  });

  it('are cut at 255 characters', () => {
    expect(words('x'.repeat(300))).toBe(`${'x'.repeat(255)}@1`);
    expect(words('é'.repeat(300))).toBe(`${'e'.repeat(255)}@1`);
  });

  it('lie in order within any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const end = SCANNER.scan(text);
        const { count, starts, ends, positions } = SCANNER.tokens;
        for (let token = 0; token < count; token += 1) {
          expect(starts[token]).toBeLessThan(ends[token]!);
          expect(ends[token]).toBeLessThanOrEqual(text.length);
          expect(positions[token]).toBeLessThan(end);
        }
      }),
      { seed: 44, numRuns: 500 },
    );
  });

  it.each([
    'a-',
    "a'",
    '#',
    '.a',
    '&amp;',
    '<a ',
    '東',
    '#東',
    '#東_',
    'か\u3099',
    '가\u11a8',
    '東\u3099',
    'a&',
    '1,',
    '\\',
    '👍',
    'x',
  ])('take time in proportion to a text full of %j', async (part) => {
    expect(await isSteep((count) => SCANNER.scan(part.repeat(count)), 40_000)).toBe(false);
  });
});

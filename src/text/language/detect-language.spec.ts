import fc from 'fast-check';
import { detect, detectLanguage } from './detect-language.js';
import { LANGUAGES } from './languages.js';

describe('detectLanguage', () => {
  it.each([
    ['This is the thing that I was talking about and it is not what you think', 'en'],
    ["As long as it doesn't rain we'll go", 'en'],
    ["Can't wait for tomorrow at 9 pm! Hope they win on Friday!", 'en'],
    ['love it', 'en'],
    ['Ich habe das nicht gewusst und finde es auch nicht gut', 'de'],
    ['Kann mir jemand bei diesem Problem helfen?', 'de'],
    ['No entiendo por qué esto no funciona desde ayer', 'es'],
    ["J'imagine qu'il m'a oublié", 'fr'],
    ['Questo ristorante è fantastico', 'it'],
    ['Isso é uma vergonha', 'pt'],
    ['Waarom werkt dit niet meer sinds gisteren?', 'nl'],
    ['Bu filmi çok sevdim', 'tr'],
    ['To jest bardzo zły film, nie polecam', 'pl'],
    ['kya kar rahe ho aaj bhai', 'hi'],
    ['यह फिल्म बहुत अच्छी है', 'hi'],
    ['Это не то, что вы думаете', 'ru'],
    ['Я не розумію, чому це не працює', 'uk'],
    ['أنا أحب هذا الفيلم كثيرا', 'ar'],
    ['نمی‌فهمم چرا این کار نمی‌کند', 'fa'],
    ['これは日本語の文章です', 'ja'],
    ['iPhoneの新しいモデルが欲しい', 'ja'],
    ['这个手机的电池很好', 'zh'],
    ['이 영화 정말 좋아요', 'ko'],
    ['หนังเรื่องนี้ดีมาก', 'th'],
    ['Αυτή η ταινία ήταν υπέροχη', 'el'],
    ['הסרט הזה היה נהדר', 'he'],
  ])('finds the language of %j', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each([
    ['nothing', ''],
    ['a short text', 'ok'],
    ['a deleted text', '[deleted]'],
    ['numbers', '12345 67'],
    ['emoji', '🙂🙂🙂'],
    ['an address and a user', '@someone https://example.com/some/long/address'],
    ['letters at random', 'asdfghjkl qwerty'],
    ['code', 'const x = foo(bar);\nif (x) { return y; }'],
    ['code in backticks', '`the function that returns the value of the text`'],
    ['two languages', 'Ich habe das heute gesehen und war froh and then I went home because I was tired'],
    ['two scripts in equal parts', 'hej мир'],
  ])('knows no language of %s', (_what, text) => {
    expect(detectLanguage(text)).toBe('und');
  });

  it.each([
    ['addresses', 'https://www.example.com/the/best/of/all Das ist gut'],
    ['user names', '@the_best_of_all Das ist gut'],
    ['code in backticks', '`if this is what you want` Das ist gut'],
    ['single words of another script', 'Das ist の gut'],
    ['elongation', 'Daaaaas ist guuuuuut'],
  ])('is not misled by %s', (_what, text) => {
    expect(detectLanguage(text)).toBe('de');
  });

  it('reads the first 400 letters of a text', () => {
    expect(
      detectLanguage(`${'das ist gut und schön '.repeat(20)}${'this is what you want '.repeat(2_000)}`),
    ).toBe('de');
  });

  it('gives every text a known code and a probability', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.lorem(),
    );
    fc.assert(
      fc.property(text, (any) => {
        const { language, probability } = detect(any);
        expect([...LANGUAGES, 'und']).toContain(language);
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

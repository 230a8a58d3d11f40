import fc from 'fast-check';
import { TextAnalyzer } from './analyzer.js';
import { SENTIMENT_LABELS } from './enrichment.js';
import { WorkspaceFrequencies } from './keywords/workspace-frequencies.js';

const POST =
  'I bought a mechanical keyboard last week and the battery died after two days. ' +
  'Customer support told me that the warranty does not cover battery problems. ' +
  'Has anyone else had battery problems with a wireless mechanical keyboard?';

describe('TextAnalyzer', () => {
  const analyzer = TextAnalyzer.load();

  it.each([
    '',
    '   ',
    '[deleted]',
    '[removed]',
    '[ Removed by Reddit ]',
    '!!!',
    '12345',
    '...',
    'https://example.com/a?b=c',
    '```\nconst love = hate;\n```',
    '\u200b\u200d\ufeff',
    '\ud800\udc00\ud83d',
  ])('finds nothing in %j', (text) => {
    const nothing = { score: 0, label: 'neutral' };
    expect(analyzer.analyzePost('', text)).toEqual({ language: 'und', sentiment: nothing, keywords: [] });
    expect(analyzer.scoreComment(text)).toEqual(nothing);
  });

  it('reads the first 12,000 characters of a text', () => {
    const read = 'table '.repeat(2_000);
    expect(analyzer.scoreComment(`${read}horrible awful hate`)).toEqual(analyzer.scoreComment(read));
    expect(analyzer.scoreComment(`horrible awful hate ${read.slice(0, 60)}`).label).toBe('negative');
  });

  it('gives any text a score, a label and at most ten lower-case phrases', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 200 }), fc.lorem());
    fc.assert(
      fc.property(text, text, (title, body) => {
        const { sentiment, keywords } = analyzer.analyzePost(title, body);
        expect(Math.abs(sentiment.score)).toBeLessThanOrEqual(1);
        expect(SENTIMENT_LABELS).toContain(sentiment.label);
        expect(keywords.length).toBeLessThanOrEqual(10);
        expect(new Set(keywords).size).toBe(keywords.length);
        for (const phrase of keywords) {
          expect(phrase).toBe(phrase.toLowerCase());
          expect(phrase.split(' ').length).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it('gives the same result whatever it has read before', () => {
    const before = analyzer.analyzePost('Battery died', POST);
    // More distinct words than the table keeps, in texts that are read to the end.
    for (let first = 0; first < 65_000; first += 1_000)
      analyzer.scoreComment(Array.from({ length: 1_000 }, (_, at) => `word${first + at}`).join(' '));
    expect(analyzer.analyzePost('Battery died', POST)).toEqual(before);
    expect(TextAnalyzer.load().analyzePost('Battery died', POST)).toEqual(before);
  });

  it('weighs the title as well as the body', () => {
    const body = 'We went to the station and took the train to the office.';
    const score = (title: string): number => analyzer.analyzePost(title, body).sentiment.score;
    expect(score('This is awful, I am furious')).toBeLessThan(score('The usual way to work'));
    expect(score('What a wonderful, lovely day')).toBeGreaterThan(score('The usual way to work'));
  });

  it('names what a post is about, in words that occur in it', () => {
    const { keywords } = analyzer.analyzePost('Keyboard battery', POST);
    expect(keywords.length).toBeGreaterThanOrEqual(5);
    expect(keywords).toContain('mechanical keyboard');
    for (const phrase of keywords) expect(`keyboard battery. ${POST}`.toLowerCase()).toContain(phrase);
  });

  it.each([
    ['de', 'Der Akku meines neuen Handys ist nach zwei Stunden leer. Hilft dem Akku ein Update?', 'akku'],
    ['es', 'La batería de mi teléfono nuevo dura dos horas. ¿La garantía cubre la batería?', 'batería'],
    [
      'ja',
      '新しいスマートフォンのバッテリーがすぐになくなります。昨日からバッテリーが持ちません。',
      'バッテリー',
    ],
    ['zh', '新手机的电池两个小时就没电了。软件更新可以解决电池问题吗？', '电池'],
    ['th', 'แบตเตอรี่โทรศัพท์ใหม่ของฉันหมดภายในสองชั่วโมง การอัปเดตซอฟต์แวร์ช่วยได้ไหม', 'แบตเตอรี่'],
  ])('names what a post in %s is about, never single characters', (language, text, keyword) => {
    const found = analyzer.analyzePost('', text);
    expect(found.language).toBe(language);
    expect(found.keywords).toContain(keyword);
    for (const phrase of found.keywords) {
      expect(phrase.length).toBeGreaterThan(1);
      expect(text.toLowerCase()).toContain(phrase);
    }
  });

  it('leaves stop words of other languages out', () => {
    const { keywords } = analyzer.analyzePost(
      '',
      'Ich habe das nicht und der Akku ist für uns auch nicht gut',
    );
    for (const word of ['ich', 'das', 'nicht', 'und', 'der', 'für']) expect(keywords).not.toContain(word);
  });

  it.each(['RT @ann: Solar panels on the roof http', 'RT @ann Módulos solares en el techo http'])(
    'leaves marks of reposts and remains of addresses out of "%s"',
    (text) => {
      const { keywords } = analyzer.analyzePost('', text);
      expect(keywords.filter((phrase) => /solar/.test(phrase))).not.toEqual([]);
      expect(keywords.filter((phrase) => /\b(rt|http)\b/.test(phrase))).toEqual([]);
    },
  );

  it('gives a workspace without posts the same keywords as no workspace', () => {
    const none = analyzer.analyzePost('', POST);
    expect(analyzer.analyzePost('', POST, new WorkspaceFrequencies())).toEqual(none);
  });

  it('learns what a workspace always talks about, and ranks it lower', () => {
    const frequencies = new WorkspaceFrequencies();
    for (let at = 0; at < 5_000; at++) {
      const tokens = analyzer.tokensOf('', `Mechanical keyboard number ${at} has arrived`, 'en');
      frequencies.observe(analyzer.phrasesOf(tokens, 'en').phraseKeys);
    }
    const place = (keywords: string[]): number => (keywords.indexOf('mechanical keyboard') + 100) % 100;
    const before = analyzer.analyzePost('', POST).keywords;
    const after = analyzer.analyzePost('', POST, frequencies).keywords;
    expect(place(before)).toBeLessThan(10);
    expect(place(after)).toBeGreaterThan(place(before));
  });
});

import { TextAnalyzer } from './analyzer.js';

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
    'https://example.com',
  ])('finds nothing in %j', (text) => {
    expect(analyzer.analyzePost('', text)).toEqual({
      sentiment: { score: 0, label: 'neutral' },
      keywords: [],
    });
    expect(analyzer.scoreComment(text)).toEqual({ score: 0, label: 'neutral' });
  });

  it('tells praise from complaint', () => {
    expect(analyzer.scoreComment('Thank you so much, this is wonderful!').label).toBe('positive');
    expect(analyzer.scoreComment('This is terrible, I hate it.').label).toBe('negative');
    expect(analyzer.scoreComment('The meeting is on Tuesday at the office.').label).toBe('neutral');
  });
});

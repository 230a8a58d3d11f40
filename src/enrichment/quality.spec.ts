import { readFileSync } from 'node:fs';
import { sharedPath, withShared } from '../../test/support/shared-folder.js';
import { TextAnalyzer } from './analyzer.js';
import { SENTIMENT_LABELS } from './enrichment.js';

const FILE = 'text-analysis/semeval_tweets.dev.tsv';

/** The only labelled set that training never uses: a lower bound that detects unnoticed damage to weights or tokens. */
withShared(FILE).describe('quality on texts with labels from elsewhere', () => {
  it('keeps macro-F1 of at least .57 on tweets', () => {
    const analyzer = TextAnalyzer.load();
    const rows = readFileSync(sharedPath(FILE), 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
    const evaluated = rows.map((cells) => [cells[1]!, analyzer.scoreComment(cells[3]!).label] as const);
    const f1 = SENTIMENT_LABELS.map((label) => {
      const both = evaluated.filter(([gold, given]) => gold === label && given === label).length;
      const either =
        evaluated.filter(([gold]) => gold === label).length +
        evaluated.filter(([, given]) => given === label).length;
      return (2 * both) / either;
    });
    expect(f1.reduce((sum, value) => sum + value, 0) / f1.length).toBeGreaterThanOrEqual(0.57);
  });
});

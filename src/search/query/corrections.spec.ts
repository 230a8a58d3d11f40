import { correctableWords, correctedTrees } from './corrections.js';
import { normalForm } from './normal-form.js';
import { parseQuery } from './parse-query.js';

const VOCABULARY = [
  { lexeme: 'battery', rows: 9 },
  { lexeme: 'buttery', rows: 2 },
  { lexeme: 'charger', rows: 5 },
  { lexeme: 'fast', rows: 4 },
  { lexeme: '~charg', rows: 5 },
  { lexeme: 'charging', rows: 1 },
];

async function corrected(q: string): Promise<string[]> {
  const { tree } = parseQuery(q);
  return (await correctedTrees(tree!, correctableWords(tree), VOCABULARY)).map(normalForm);
}

describe('corrected queries', () => {
  it.each([
    ['batery', ['battery', 'buttery']],
    ['bttery', ['battery', 'buttery']],
    ['batetry fast', ['battery fast', 'buttery fast']],
    ['"fast chargre" -usb', ['"fast charger" -usb']],
    ['(batery OR chargr) score:>5', ['(battery OR charger) score:>5', '(buttery OR charger) score:>5']],
  ])('replace the missing words of %s', async (q, queries) => {
    expect(await corrected(q)).toEqual(queries);
  });

  it.each(['battery', 'zzzzzz', 'bat*', '-batery', 'fa', 'author:chargr', 'charging charger'])(
    'do not exist for %s',
    async (q) => {
      expect(await corrected(q)).toEqual([]);
    },
  );

  it('are at most eight', async () => {
    expect(await corrected('bttery bttary bttory bttury')).toHaveLength(8);
  });
});

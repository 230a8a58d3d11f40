import fc from 'fast-check';
import { BestRows, type ScoredRow } from './best-rows.js';

describe('the best rows', () => {
  it.each([true, false])('are the first by score and number, descending: %s', (isDescending) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 60 }),
        (scores, limit) => {
          const best = new BestRows(limit, isDescending);
          scores.forEach((score, row) => best.add(row, score));
          const ascending = (a: ScoredRow, b: ScoredRow): number => a.score - b.score || a.row - b.row;
          const sorted = scores.map((score, row) => ({ row, score })).sort(ascending);
          if (isDescending) sorted.reverse();
          expect([...best.rows()].sort(ascending)).toEqual(sorted.slice(0, limit).sort(ascending));
        },
      ),
    );
  });
});

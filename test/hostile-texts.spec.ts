import { WORST_FUNCTIONS } from '../scripts/bench/support/worst-functions.js';
import { WORST_TEXTS } from '../scripts/bench/support/worst-texts.js';
import { steepTextOf } from './support/hostile-texts.js';

describe('hostile texts', () => {
  it('are at least a hundred', () => expect(WORST_TEXTS.length).toBeGreaterThanOrEqual(100));

  // Hostile answers of platforms have a test of their own, by the definitions of sources.
  it.each(WORST_FUNCTIONS.map((one) => [one.name, one] as const))(
    'cost in proportion to their length: %s',
    async (_, one) => {
      expect(await steepTextOf(one)).toBeNull();
    },
  );
});

import type { ConcurrencyQuotas } from '../../tenants/usage/concurrency-quotas.js';
import type { SearchDatabase } from '../search-database.js';
import type { SearchRequest } from '../search-request.js';
import type { SearchService } from '../search.service.js';
import { RecallMeter, type SampledTable } from './recall-meter.js';

describe('a recall estimate', () => {
  it.each([
    { found: 19, others: 1_000, isRead: false },
    { found: 20, others: 100, isRead: true },
    { found: 1_000, others: 99, isRead: false },
  ])(
    'of $found found rows and $others others reads their texts: $isRead',
    async ({ found, others, isRead }) => {
      let reads = 0;
      const meter = new RecallMeter(
        {
          count: ({ filter }: SearchRequest) =>
            Promise.resolve(filter.q === undefined ? found + others : found),
        } as unknown as SearchService,
        {
          run: () => {
            reads += 1;
            return Promise.resolve([[], []]);
          },
        } as unknown as SearchDatabase,
        {} as ConcurrencyQuotas,
      );
      const request = { workspaceId: 'w', filter: { q: 'word' } } as SampledTable;
      const answer = await meter.measure([request]);
      expect([reads > 0, answer]).toEqual([isRead, { found, missed: null, suggestions: [] }]);
    },
  );
});

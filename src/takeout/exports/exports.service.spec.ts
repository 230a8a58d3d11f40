import { jest } from '@jest/globals';
import type { Environment } from '../../config/environment.js';
import type { SearchService } from '../../search/search.service.js';
import type { ConcurrencyQuotas } from '../../tenants/usage/concurrency-quotas.js';
import type { ExportCursor } from './export-cursor.js';
import type { ExportedRow } from './exported-table.js';
import { ExportsService } from './exports.service.js';

const SQL = { text: 'SELECT', parameters: [] };

describe('ExportsService', () => {
  afterEach(() => void jest.useRealTimers());

  let running: number;
  /** The error thrown when reading the first rows of each export; undefined when it succeeds. */
  let failures: (Error | undefined)[];

  /** With a single connection for the exports of one workspace. */
  const open = () => {
    const quotas: Pick<ConcurrencyQuotas, 'enter'> = {
      enter: () => {
        running += 1;
        return Promise.resolve(() => void (running -= 1));
      },
    };
    const cursor: Pick<ExportCursor, 'batches'> = {
      // eslint-disable-next-line @typescript-eslint/require-await
      batches: async function* (): AsyncGenerator<ExportedRow[], void, undefined> {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        yield [];
      },
    };
    return new ExportsService(
      cursor as ExportCursor,
      quotas as ConcurrencyQuotas,
      {} as SearchService,
      { DATABASE_POOL_EXPORT: 1 } as Environment,
    );
  };

  it('releases the turn and the slot of an export that ends or fails', async () => {
    running = 0;
    failures = [new Error('lost'), new Error('lost again'), undefined, undefined];
    const service = open();
    const { signal } = new AbortController();
    await expect(service.open('w', SQL, signal)).rejects.toThrow('lost');
    await expect(service.open('w', SQL, AbortSignal.timeout(1_000))).rejects.toThrow('lost again');
    const opened = await service.open('w', SQL, AbortSignal.timeout(1_000));
    expect(running).toBe(1);
    opened.end();
    expect(running).toBe(0);
    (await service.open('w', SQL, AbortSignal.timeout(1_000))).end();
  });

  it('rejects an export that gets no turn within a minute, with a Retry-After', async () => {
    jest.useFakeTimers();
    running = 0;
    failures = [undefined];
    const service = open();
    const { signal } = new AbortController();
    const opened = await service.open('w', SQL, signal);
    const refused = expect(service.open('w', SQL, signal)).rejects.toMatchObject({
      code: 'unavailable',
      extra: { headers: { 'Retry-After': '10' } },
    });
    await jest.advanceTimersByTimeAsync(60_000);
    await refused;
    opened.end();
    expect(running).toBe(0);
  });
});

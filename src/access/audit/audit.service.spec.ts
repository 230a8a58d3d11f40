import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AuditRepository, NewAuditEntry } from './audit.repository.js';
import { AuditService, type Change } from './audit.service.js';

const CHANGE = { action: 'test', actor: 'admin' } as Change;
const IDS = ['c', 'b', 'a'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
const ROWS = IDS.map((id) => ({ id, position: '2026-06-30 12:00:00+00' }));

describe('the audit log', () => {
  let begun: NewAuditEntry[];
  let finished: unknown[];
  let listed: unknown[][];
  let isAway: boolean;

  beforeEach(() => {
    [begun, finished, listed, isAway] = [[], [], [], false];
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  });
  afterEach(() => jest.restoreAllMocks());

  const unlessAway = <T>(work: () => T): Promise<T> =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve(work());
  const service = new AuditService({
    insert: (entry: NewAuditEntry) => unlessAway(() => begun.push(entry)),
    finish: (id: string, outcome: object) => unlessAway(() => finished.push({ id, ...outcome })),
    discard: () => unlessAway(() => undefined),
    list: (...given: unknown[]) => unlessAway(() => listed.push(given) && ROWS.slice(0, given[2] as number)),
  } as unknown as AuditRepository);

  it('records a command before it begins, and how it ended', async () => {
    const result = await service.around(
      CHANGE,
      () => {
        expect(begun).toMatchObject([CHANGE]);
        return Promise.resolve('made');
      },
      (made) => ({ resource: { id: made } }),
    );
    await expect(service.around(CHANGE, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const [first, second] = begun.map(({ id }) => id);
    expect([result, finished]).toEqual([
      'made',
      [
        { id: first, status: 0, targetWorkspaceId: null, resource: { id: 'made' } },
        { id: second, status: 1, targetWorkspaceId: null, resource: {} },
      ],
    ]);
  });

  it('prevents a change that it cannot record, but no change that was made', async () => {
    const work = jest.fn(() => {
      isAway = true;
      return Promise.resolve('made');
    });
    expect(await service.around(CHANGE, work)).toBe('made');
    await expect(service.around(CHANGE, work)).rejects.toThrow('away');
    expect(work).toHaveBeenCalledTimes(1);
    await service.discard('id');
  });
});

import { hostname } from 'node:os';
import { jest } from '@jest/globals';
import type { AuditService, Change } from '../access/audit/audit.service.js';

const userInfo = jest.fn<() => { username: string }>();
jest.unstable_mockModule('node:os', () => ({ hostname, userInfo }));
const { audited } = await import('./audited.js');

describe('the actor of a command in the audit log', () => {
  async function actorName(): Promise<string | null> {
    const changes: Change[] = [];
    const around = (change: Change, work: () => Promise<unknown>) => {
      changes.push(change);
      return work();
    };
    await audited({ around } as unknown as AuditService, { action: 'test' }, () => Promise.resolve());
    return changes[0]!.actorName;
  }

  it('is the user of the machine', async () => {
    userInfo.mockReturnValue({ username: 'operator' });
    expect(await actorName()).toBe(`operator@${hostname()}`);
  });

  it('is the numeric id of a user without a name, as in containers', async () => {
    userInfo.mockImplementation(() => {
      throw new Error('ENOENT');
    });
    expect(await actorName()).toBe(`${process.getuid!()}@${hostname()}`);
  });
});

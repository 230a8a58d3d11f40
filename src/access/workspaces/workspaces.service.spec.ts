import type { Workspace } from '../../tenants/workspaces/workspace.entity.js';
import { WorkspacesService } from './workspaces.service.js';
import { withFakes } from '../../../test/support/with-fakes.js';

describe('WorkspacesService', () => {
  let stored: Partial<Workspace> | null;
  let changes: object[];
  let keys: number;
  let service: WorkspacesService;

  beforeEach(() => {
    stored = { name: 'Test', status: 'active', quotas: {}, retentionDays: {} };
    changes = [];
    keys = 0;
    service = withFakes(
      WorkspacesService,
      {
        lock: () => Promise.resolve(stored),
        update: (_w: string, changed: object) => Promise.resolve(void changes.push(changed)),
      },
      { recover: () => Promise.resolve((keys += 1)) },
      { run: (work: (tx: object) => Promise<unknown>) => work({}) },
      { now: () => new Date('2026-06-30T12:00:00Z') },
    );
  });

  it('neither changes a workspace that is being deleted nor creates a key for it', async () => {
    stored = { ...stored, status: 'deleting' };
    const noWorkspace = { code: 'not_found' };
    await expect(service.update('w', { status: 'active' })).rejects.toMatchObject(noWorkspace);
    await expect(service.createKey('w', {} as never)).rejects.toMatchObject(noWorkspace);
    await service.requestDeletion('w');
    expect([changes, keys]).toEqual([[], 0]);
  });

  it('starts a deletion and records its time', async () => {
    await service.requestDeletion('w');
    const deletion = { requestedAt: '2026-06-30T12:00:00.000Z', rows: 0 };
    expect(changes).toEqual([{ status: 'deleting', deletion }]);
  });
});

import { Logger } from '@nestjs/common';
import { WorkspaceDeleter } from './workspace-deleter.js';
import { withFakes } from '../../../test/support/with-fakes.js';

describe('WorkspaceDeleter', () => {
  beforeAll(() => void Logger.overrideLogger(false));

  it('deletes a workspace last, even if the files of another one cannot be removed', async () => {
    const steps: string[] = [];
    const step = (workspaceId: string, name: string) => {
      if (workspaceId === 'other') steps.push(name);
      return Promise.resolve();
    };
    const deleter = await new Promise<WorkspaceDeleter>((resolve) => {
      const created: WorkspaceDeleter = withFakes(
        WorkspaceDeleter,
        { deleting: ['stuck', 'other'] },
        {
          lockDeleting: () => Promise.resolve({ deletion: { rows: 0 } }),
          deleteRequested: (workspaceId: string) => {
            if (workspaceId === 'other') resolve(created);
            return Promise.resolve(true);
          },
        },
        { deleteBatch: () => Promise.resolve(0) },
        {
          isBusy: () => Promise.resolve(false),
          empty: (workspaceId: string) =>
            workspaceId === 'stuck' ? Promise.reject(new Error('EACCES')) : step(workspaceId, 'stores'),
        },
        { run: (work: (tx: unknown) => Promise<unknown>) => work({}) },
      );
      created.onApplicationBootstrap();
    });
    await deleter.beforeApplicationShutdown();
    expect(steps).toEqual(['stores']);
  });
});

import { jest } from '@jest/globals';
import type { WorkspaceStatus } from './workspace.entity.js';
import { InactiveWorkspaces } from './inactive-workspaces.js';

describe('InactiveWorkspaces', () => {
  it('keeps the result of the latest read when an earlier one finishes after it', async () => {
    const answers: ((statuses: Map<string, WorkspaceStatus>) => void)[] = [];
    const inactive = new InactiveWorkspaces({
      findInactive: () => new Promise((resolve) => answers.push(resolve)),
    });
    const reads = [inactive.refresh(), inactive.refresh()];
    answers[1]!(new Map([['suspended meanwhile', 'suspended']]));
    answers[0]!(new Map());
    await Promise.all(reads);
    expect(inactive.ids).toEqual(['suspended meanwhile']);
  });

  it('knows the statuses as soon as its module is initialised', async () => {
    const inactive = new InactiveWorkspaces({
      findInactive: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return new Map([
          ['s', 'suspended'],
          ['d', 'deleting'],
        ]);
      },
    });
    await inactive.onModuleInit();
    const known = [inactive.ids, inactive.deleting];
    await inactive.beforeApplicationShutdown();
    expect(known).toEqual([['s', 'd'], ['d']]);
    expect(() => inactive.requireActive('d')).toThrow(
      expect.objectContaining({ code: 'workspace_suspended' }),
    );
    expect(() => inactive.requireActive('other')).not.toThrow();
  });

  it('reads them every second until the shutdown begins', async () => {
    jest.useFakeTimers();
    try {
      const findInactive = jest.fn(() => Promise.resolve(new Map<string, WorkspaceStatus>()));
      const inactive = new InactiveWorkspaces({ findInactive });
      await inactive.onModuleInit();
      findInactive.mockClear();
      await jest.advanceTimersByTimeAsync(3_000);
      expect(findInactive.mock.calls.length).toBeGreaterThanOrEqual(3);
      await inactive.beforeApplicationShutdown();
      findInactive.mockClear();
      await jest.advanceTimersByTimeAsync(3_000);
      expect(findInactive).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });
});

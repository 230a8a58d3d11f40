import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { givenEntries } from '../../common/collections.js';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import { timeCursorAfter, timePositionOf } from '../../http/pages/time-cursor.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import type { RetainedKind, Workspace } from '../../tenants/workspaces/workspace.entity.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';

/** Which page of workspaces to list. */
export interface WorkspaceListQuery {
  q?: string;
  limit: number;
  cursor?: string;
}

/** The changes an operator can make. A null quota restores the default; retention days of null or 0 keep the data. */
export interface WorkspaceChanges {
  name?: string;
  status?: 'active' | 'suspended';
  quotas?: Record<string, number | null>;
  retentionDays?: Partial<Record<RetainedKind, number | null>>;
}

/** Creates, lists and changes workspaces. */
@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesRepository,
    private readonly apiKeys: ApiKeysService,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /** Creates a workspace and its first key, which has every scope. The key is returned only here. */
  async create(name: string): Promise<{ workspaceId: string; apiKey: string }> {
    const workspaceId = newId();
    return this.transactions.run(async (tx) => {
      await this.workspaces.insert({ id: workspaceId, name, createdAt: this.clock.now() }, tx);
      const { key } = await this.apiKeys.create(workspaceId, { name: 'First key', scopes: ['admin'] }, tx);
      return { workspaceId, apiKey: key };
    });
  }

  /** Throws 404. */
  async get(workspaceId: string): Promise<Workspace> {
    const workspace = await this.workspaces.find(workspaceId);
    if (workspace === null) throw Problem.noWorkspace();
    return workspace;
  }

  /**
   * Workspaces, newest first, with the total number of matches and a cursor after the last one. Throws 400
   * `invalid_cursor`.
   */
  async list({ q, limit, cursor = '' }: WorkspaceListQuery): Promise<{
    workspaces: Workspace[];
    total: number;
    cursor: string;
    hasMore: boolean;
  }> {
    const wanted = q || null;
    const question = ['workspaces', wanted];
    const found = await this.workspaces.list(wanted, timePositionOf(cursor, question), limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      workspaces: page,
      total: await this.workspaces.count(wanted),
      cursor: last === undefined ? cursor : timeCursorAfter({ time: last.position, id: last.id }, question),
      hasMore: found.length > limit,
    };
  }

  /** Applies the given changes. Throws 404, also while the workspace is being deleted. */
  async update(
    workspaceId: string,
    { name, status, quotas, retentionDays }: WorkspaceChanges,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const workspace = await this.workspaces.lock(workspaceId, tx);
      if (workspace === null || workspace.status === 'deleting') throw Problem.noWorkspace();
      await this.workspaces.update(
        workspaceId,
        {
          name: name ?? workspace.name,
          status: status ?? workspace.status,
          quotas: merged(workspace.quotas, quotas ?? {}),
          retentionDays: withoutZeros(merged(workspace.retentionDays, retentionDays ?? {})),
        },
        tx,
      );
    });
  }

  /**
   * Requests the deletion of a workspace and all of its data, which cannot be undone; workers carry it out. Repeating
   * the request changes nothing. Throws 404.
   */
  async requestDeletion(workspaceId: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const workspace = await this.workspaces.lock(workspaceId, tx);
      if (workspace === null) throw Problem.noWorkspace();
      if (workspace.status === 'deleting') return;
      const deletion = { requestedAt: this.clock.now().toISOString(), rows: 0 };
      await this.workspaces.update(workspaceId, { status: 'deleting', deletion }, tx);
    });
  }

  /** Creates a key even if the quota of keys is used up, so that access can be recovered. Throws 404. */
  async createKey(workspaceId: string, request: Parameters<ApiKeysService['recover']>[1]) {
    return this.transactions.run(async (tx) => {
      const workspace = await this.workspaces.lock(workspaceId, tx);
      if (workspace === null || workspace.status === 'deleting') throw Problem.noWorkspace();
      return this.apiKeys.recover(workspaceId, request, tx);
    });
  }
}

function merged(
  present: Record<string, number>,
  changes: Record<string, number | null | undefined>,
): Record<string, number> {
  const entries = Object.entries({ ...present, ...Object.fromEntries(givenEntries(changes)) });
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== null));
}

const withoutZeros = (numbers: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0));

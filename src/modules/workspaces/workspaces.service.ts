import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { Problem } from '../../http/problem.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { WorkspacesRepository } from './workspaces.repository.js';

/** Creates and names workspaces. */
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

  /** The name of a workspace. Throws 404 when it was deleted. */
  async name(workspaceId: string): Promise<string> {
    const name = await this.workspaces.findName(workspaceId);
    if (name === null) throw Problem.notFound('workspace');
    return name;
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Workspace } from './workspace.entity.js';

@Injectable()
export class WorkspacesRepository {
  async insert(workspace: Workspace, tx: EntityManager): Promise<void> {
    await tx.insert(Workspace, workspace);
  }
}

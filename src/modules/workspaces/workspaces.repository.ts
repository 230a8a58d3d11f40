import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Workspace } from './workspace.entity.js';

/** Reads and writes `workspaces`. */
@Injectable()
export class WorkspacesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(workspace: Omit<Workspace, 'quotas'>, tx: EntityManager): Promise<void> {
    await tx.insert(Workspace, workspace);
  }

  /** The name; null for an unknown workspace. */
  async findName(workspaceId: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ name: string }[]>(
      `SELECT name FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
    return row?.name ?? null;
  }

  /** Quotas that differ from the defaults, by name; none for an unknown workspace. */
  async findQuotas(workspaceId: string): Promise<Record<string, number>> {
    const [row] = await this.dataSource.query<{ quotas: Record<string, number> }[]>(
      `SELECT quotas FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
    return row?.quotas ?? {};
  }

  /** As {@link findQuotas}, and locks them until the transaction ends. Rows that reference the workspace can still be added. */
  async lockQuotas(workspaceId: string, tx: EntityManager): Promise<Record<string, number>> {
    const [row] = await tx.query<{ quotas: Record<string, number> }[]>(
      `SELECT quotas FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`,
      [workspaceId],
    );
    return row?.quotas ?? {};
  }
}

import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { Problem } from '../../http/problems/problem.js';
import type { WorkspaceStatus } from './workspace.entity.js';
import { WorkspacesRepository } from './workspaces.repository.js';

/** Maximum delay until another process notices a suspension. */
const REFRESH_MS = 1_000;

/**
 * The workspaces that are suspended or being deleted, at most a second old. Every request and every claim of jobs,
 * schedules and deliveries reads this set from memory, so that checking for suspension costs no query. While Postgres
 * is unavailable, the last known set applies.
 */
@Injectable()
export class InactiveWorkspaces implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(InactiveWorkspaces.name);
  private statuses: ReadonlyMap<string, WorkspaceStatus> = new Map();
  /** Sequence numbers: of the read started last, and of the read that supplied the current statuses. */
  private begun = 0;
  private newest = 0;
  private readonly loop = new PollingLoop(
    async () => {
      await this.refresh();
      return false;
    },
    REFRESH_MS,
    (error) => this.logger.warn({ err: error }, 'status of workspaces not read'),
  );

  constructor(
    @Inject(WorkspacesRepository) private readonly workspaces: Pick<WorkspacesRepository, 'findInactive'>,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Whether the workspace is suspended or being deleted. */
  has(workspaceId: string): boolean {
    return this.statuses.has(workspaceId);
  }

  /** Throws 403 `workspace_suspended` for a workspace that is suspended or being deleted. */
  requireActive(workspaceId: string): void {
    if (this.has(workspaceId))
      throw new Problem('workspace_suspended', 'This workspace is suspended. Ask the operator to resume it.');
  }

  /** The ids of these workspaces. */
  get ids(): string[] {
    return [...this.statuses.keys()];
  }

  /** The ids of the workspaces that are being deleted. */
  get deleting(): string[] {
    return this.ids.filter((id) => this.statuses.get(id) === 'deleting');
  }

  /**
   * Reads the statuses now. Call it after a change, so that the change applies in this process before the response is
   * sent.
   */
  async refresh(): Promise<void> {
    const read = ++this.begun;
    const statuses = await this.workspaces.findInactive();
    // A read that started earlier but took longer may have seen the state before the change.
    if (read < this.newest) return;
    this.newest = read;
    this.statuses = statuses;
  }
}

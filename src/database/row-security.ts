import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { enterWorkspace, presentWorkspace, withinWorkspace } from '../common/work-scope.js';
import { ConfigurationError, ENVIRONMENT, type Environment } from '../config/environment.js';
import { findGap } from './secured-rows.js';
import { WORKSPACE_ROLE } from './workspace-query.js';

/** A workspace that does not exist. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** State of row-level security in the database at process start. */
@Injectable()
export class RowSecurity implements OnModuleInit {
  private readonly logger = new Logger(RowSecurity.name);
  private isOn = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'DATABASE_REQUEST_URL'>,
  ) {}

  /** Throws a {@link ConfigurationError} if requests could not use their login. */
  async onModuleInit(): Promise<void> {
    const gap = await findGap((sql) => this.dataSource.query(sql));
    this.isOn = gap === null;
    if (gap !== null) this.logger.warn(gap, 'row-level security not used');
    else if (this.environment.DATABASE_REQUEST_URL !== undefined)
      await withinWorkspace(NO_WORKSPACE, () => this.dataSource.query('SELECT 1')).catch((error: Error) => {
        throw new ConfigurationError(
          `DATABASE_REQUEST_URL: requests cannot work as ${WORKSPACE_ROLE} with this login (${error.message}); correct it, or grant ${WORKSPACE_ROLE} to its user`,
        );
      });
  }

  /** From now on the current request sees and changes only rows of this workspace, where the database supports it. */
  enter(workspaceId: string): void {
    if (this.isOn) enterWorkspace(workspaceId);
  }

  /**
   * Runs reads of this workspace, which see only its rows, where the database supports it. Within a request they see
   * only rows of the request's workspace, whichever is named here.
   */
  within<T>(workspaceId: string, read: () => T): T {
    return this.isOn && presentWorkspace() === undefined ? withinWorkspace(workspaceId, read) : read();
  }
}

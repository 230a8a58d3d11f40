import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { enterWorkspace, presentWorkspace, withinWorkspace } from '../common/work-scope.js';
import { findGap } from './secured-rows.js';

/** State of row-level security in the database at process start. */
@Injectable()
export class RowSecurity implements OnModuleInit {
  private readonly logger = new Logger(RowSecurity.name);
  private isOn = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const gap = await findGap((sql) => this.dataSource.query(sql));
    this.isOn = gap === null;
    if (gap !== null) this.logger.warn(gap, 'row-level security not used');
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

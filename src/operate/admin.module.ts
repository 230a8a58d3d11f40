import { Module } from '@nestjs/common';
import { PlatformModule } from '../platforms/platform.module.js';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { DeliveryLogModule } from '../deliver/delivery-log.module.js';
import { EventsModule } from '../messages/events.module.js';
import { ExportsModule } from '../takeout/exports.module.js';
import { JobsModule } from '../collect/jobs.module.js';
import { SchedulesModule } from '../collect/schedules.module.js';
import { ExecutionOperationsModule } from '../collect/execution-operations.module.js';
import { WorkspaceDataModule } from '../privacy/workspace-data.module.js';
import { SignOnModule } from '../access/sign-on.module.js';
import { WorkspacesModule } from '../access/workspaces.module.js';
import { AuditModule } from '../access/audit.module.js';
import { AdminAuditController } from './admin/admin-audit.controller.js';
import { ErasuresModule } from '../privacy/erasures.module.js';
import { AdminErasuresController } from './admin/admin-erasures.controller.js';
import { AdminOverviewController } from './admin/admin-overview.controller.js';
import { AdminOverviewService } from './admin/admin-overview.service.js';
import { AdminWorkspacesController } from './admin/admin-workspaces.controller.js';
import { AdminWorkspacesModule } from './admin-workspaces.module.js';

/** The API for operators, under `/admin`. */
@Module({
  imports: [
    AdminWorkspacesModule,
    ApiKeysModule,
    AuditModule,
    DeliveryLogModule,
    ErasuresModule,
    EventsModule,
    ExecutionOperationsModule,
    ExportsModule,
    JobsModule,
    PlatformModule,
    SchedulesModule,
    SignOnModule,
    WorkspaceDataModule,
    WorkspacesModule,
  ],
  controllers: [
    AdminWorkspacesController,
    AdminAuditController,
    AdminErasuresController,
    AdminOverviewController,
  ],
  providers: [AdminOverviewService],
})
export class AdminModule {}

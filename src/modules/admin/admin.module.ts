import { Module } from '@nestjs/common';
import { PlatformModule } from '../../platforms/platform.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { DeliveryLogModule } from '../delivery/log/delivery-log.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { SchedulesModule } from '../schedules/schedules.module.js';
import { ExecutionOperationsModule } from '../scraping/execution-operations.module.js';
import { WorkspaceDataModule } from '../workspace-data/workspace-data.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AdminAccess } from './admin-access.js';
import { AdminSessionController } from './admin-session.controller.js';
import { AdminAuditController } from './admin-audit.controller.js';
import { ErasuresModule } from '../erasures/erasures.module.js';
import { AdminErasuresController } from './admin-erasures.controller.js';
import { AdminOverviewController } from './admin-overview.controller.js';
import { AdminOverviewService } from './admin-overview.service.js';
import { AdminWorkspacesController } from './admin-workspaces.controller.js';
import { AdminWorkspacesModule } from './admin-workspaces.module.js';
import { OperatorsModule } from './operators.module.js';

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
    OperatorsModule,
    PlatformModule,
    SchedulesModule,
    WorkspaceDataModule,
    WorkspacesModule,
  ],
  controllers: [
    AdminWorkspacesController,
    AdminAuditController,
    AdminErasuresController,
    AdminOverviewController,
    AdminSessionController,
  ],
  providers: [AdminOverviewService, AdminAccess],
  exports: [AdminAccess],
})
export class AdminModule {}

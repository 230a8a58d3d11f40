import { Module } from '@nestjs/common';
import { PlatformModule } from '../../platforms/platform.module.js';
import { ApiKeysModule } from '../../access/api-keys/api-keys.module.js';
import { DeliveryLogModule } from '../../deliver/log/delivery-log.module.js';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { ExportsModule } from '../../takeout/exports/exports.module.js';
import { JobsModule } from '../../collect/jobs/jobs.module.js';
import { SchedulesModule } from '../../collect/schedules/schedules.module.js';
import { ExecutionOperationsModule } from '../../collect/scraping/execution-operations.module.js';
import { WorkspaceDataModule } from '../../privacy/workspaces/workspace-data.module.js';
import { SignOnModule } from '../../access/sign-on/sign-on.module.js';
import { WorkspacesModule } from '../../access/workspaces/workspaces.module.js';
import { AuditModule } from '../../access/audit/audit.module.js';
import { AdminAuditController } from './admin-audit.controller.js';
import { ErasuresModule } from '../../privacy/erasures/erasures.module.js';
import { AdminErasuresController } from './admin-erasures.controller.js';
import { AdminOverviewController } from './admin-overview.controller.js';
import { AdminOverviewService } from './admin-overview.service.js';
import { AdminWorkspacesController } from './admin-workspaces.controller.js';
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

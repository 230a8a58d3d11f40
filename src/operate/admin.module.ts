import { Module } from '@nestjs/common';
import { AccessHttpModule } from '../access/access-http.module.js';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { JobsModule } from '../collect/jobs.module.js';
import { SchedulesModule } from '../collect/schedules.module.js';
import { DeliverModule } from '../deliver/deliver.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { ExportsModule } from '../takeout/exports.module.js';
import { AdminWorkspacesModule } from './admin-workspaces.module.js';
import { AdminAuditController } from './admin/admin-audit.controller.js';
import { AdminErasuresController } from './admin/admin-erasures.controller.js';
import { AdminOverviewController } from './admin/admin-overview.controller.js';
import { AdminOverviewService } from './admin/admin-overview.service.js';
import { AdminWorkspacesController } from './admin/admin-workspaces.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { OwnApi } from './mcp/own-api.js';

/** The API for operators, under `/admin`, and that for assistants, at `/mcp`. */
@Module({
  imports: [
    AccessHttpModule,
    AdminWorkspacesModule,
    ApiKeysModule,
    DeliverModule,
    ExportsModule,
    JobsModule,
    MessagesModule,
    SchedulesModule,
    PrivacyModule,
  ],
  controllers: [
    AdminWorkspacesController,
    AdminAuditController,
    AdminErasuresController,
    AdminOverviewController,
    McpController,
  ],
  providers: [AdminOverviewService, OwnApi],
})
export class AdminModule {}

import { Module } from '@nestjs/common';
import { AccessHttpModule } from '../access/access-http.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { DeliverModule } from '../deliver/deliver.module.js';
import { WebhooksModule } from '../deliver/webhooks.module.js';
import { Reencryption } from './reencryption/reencryption.js';
import { PrivacyModule } from './privacy.module.js';
import { WorkspaceDeleter } from './workspaces/workspace-deleter.js';

/** The worker role: re-encrypts secrets with the newest key, and deletes workspaces whose deletion was requested. */
@Module({
  imports: [AccessHttpModule, AlertsModule, DeliverModule, WebhooksModule, PrivacyModule],
  providers: [Reencryption, WorkspaceDeleter],
})
export class PrivacyWorkerModule {}

import { Module } from '@nestjs/common';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { ServiceMailModule } from '../messages/service-mail.module.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { nameOfSubject } from '../tenants/ports/erasure-subject.js';
import { Traces } from '../tenants/ports/traces.js';
import { AccessModule } from './access.module.js';
import { ApiKeysModule } from './api-keys.module.js';
import { AssistantClients } from './assistants/assistant-clients.js';
import { ClientDocuments } from './assistants/client-documents.js';
import { AuthorizationController } from './assistants/authorization.controller.js';
import { OAuthMetadataController } from './assistants/oauth-metadata.controller.js';
import { TokenController } from './assistants/token.controller.js';
import { AuditPruner } from './audit/audit-pruner.js';
import { AuditSealer } from './audit/audit-sealer.js';
import { AuditTraces } from './audit/audit-traces.js';
import { FailureAudit } from './audit/failure-audit.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { AdminAccess } from './operators/admin-access.js';
import { AdminSessionController } from './operators/admin-session.controller.js';
import { SessionController } from './sessions/session.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { WorkspaceSessionsController } from './sessions/workspace-sessions.controller.js';
import { IdentityProvider } from './sign-on/identity-provider.js';
import { MembershipsController } from './sign-on/memberships.controller.js';
import { SignOnCookies } from './sign-on/sign-on-cookies.js';
import { SignOnController } from './sign-on/sign-on.controller.js';
import { SignOnService } from './sign-on/sign-on.service.js';
import { Invitations } from './members/invitations.js';

/** Sign-in, members, repeated requests and the upkeep of the audit log, in every process of the service. */
@Module({
  imports: [AccessModule, ApiKeysModule, ServiceMailModule],
  controllers: [
    SessionController,
    WorkspaceSessionsController,
    MembersController,
    SignOnController,
    MembershipsController,
    AdminSessionController,
    AuthorizationController,
    TokenController,
    OAuthMetadataController,
  ],
  providers: [
    AssistantClients,
    AuditPruner,
    AuditSealer,
    AuditTraces,
    ClientDocuments,
    FailureAudit,
    IdempotencyRepository,
    IdempotencyService,
    MembersService,
    Invitations,
    IdentityProvider,
    SignOnCookies,
    SignOnService,
    AdminAccess,
  ],
  exports: [AccessModule, AdminAccess, IdempotencyRepository, IdempotencyService],
})
export class AccessHttpModule {
  constructor(
    pruner: Pruner,
    sealed: SealedColumns,
    traces: Traces,
    sessions: SessionsService,
    idempotency: IdempotencyRepository,
    responses: IdempotencyService,
  ) {
    traces.register({
      erase: async (workspaceId, subject) =>
        subject === null ? {} : { responses: await responses.forget(workspaceId, nameOfSubject(subject)) },
    });
    pruner.add('sessions', () => sessions.pruneBatch());
    // Stored responses expire after one day.
    sealed.registerExpiring((prefix) => idempotency.hasSealedOtherwise(prefix));
  }
}

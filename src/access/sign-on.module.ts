import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys.module.js';
import { AuditModule } from './audit.module.js';
import { AdminAccess } from './operators/admin-access.js';
import { AdminSessionController } from './operators/admin-session.controller.js';
import { OperatorsModule } from './operators.module.js';
import { WorkspacesModule } from './workspaces.module.js';
import { IdentityProvider } from './sign-on/identity-provider.js';
import { MembershipsController } from './sign-on/memberships.controller.js';
import { SignOnController } from './sign-on/sign-on.controller.js';
import { SignOnCookies } from './sign-on/sign-on-cookies.js';
import { SignOnService } from './sign-on/sign-on.service.js';

/** Sign-in of people by the operator's identity provider, and of operators. */
@Module({
  imports: [ApiKeysModule, AuditModule, OperatorsModule, WorkspacesModule],
  controllers: [SignOnController, MembershipsController, AdminSessionController],
  providers: [IdentityProvider, SignOnCookies, SignOnService, AdminAccess],
  exports: [AdminAccess],
})
export class SignOnModule {}

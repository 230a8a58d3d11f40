import { Module } from '@nestjs/common';
import { AdminModule } from '../admin/admin.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { IdentityProvider } from './identity-provider.js';
import { MembershipsController } from './memberships.controller.js';
import { SignOnController } from './sign-on.controller.js';
import { SignOnCookies } from './sign-on-cookies.js';
import { SignOnService } from './sign-on.service.js';

/** Signs people in with accounts of the operator's identity provider. */
@Module({
  imports: [AdminModule, ApiKeysModule, WorkspacesModule],
  controllers: [SignOnController, MembershipsController],
  providers: [IdentityProvider, SignOnCookies, SignOnService],
})
export class SignOnModule {}

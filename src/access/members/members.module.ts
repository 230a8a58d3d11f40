import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ServiceMailModule } from '../../messages/channels/service-mail.module.js';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

/** The people of a workspace, who sign in with accounts. */
@Module({
  imports: [ApiKeysModule, QuotasModule, ServiceMailModule],
  controllers: [MembersController],
  providers: [MembersService],
})
export class MembersModule {}

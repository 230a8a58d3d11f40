import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys.module.js';
import { ServiceMailModule } from '../messages/service-mail.module.js';
import { QuotasModule } from '../tenants/quotas.module.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';

/** The people of a workspace, who sign in with accounts. */
@Module({
  imports: [ApiKeysModule, QuotasModule, ServiceMailModule],
  controllers: [MembersController],
  providers: [MembersService],
})
export class MembersModule {}

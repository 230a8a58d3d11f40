import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { ApiKey } from './api-keys/api-key.entity.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { MembersRepository } from './api-keys/members.repository.js';
import { SessionsRepository } from './api-keys/sessions.repository.js';
import { AssistantGrantsService } from './assistants/assistant-grants.service.js';
import { OwnCalls } from './assistants/own-calls.js';
import { SessionsService } from './sessions/sessions.service.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey])],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ApiKeysRepository,
    MembersRepository,
    SessionsService,
    SessionsRepository,
    AssistantGrantsService,
    OwnCalls,
  ],
  exports: [ApiKeysService, MembersRepository, SessionsService, AssistantGrantsService, OwnCalls],
})
export class ApiKeysModule {
  constructor(quotas: QuotasService, stores: WorkspaceStores, apiKeysRepository: ApiKeysRepository) {
    stores.register({ kept: ['api_keys', 'sessions'] });
    quotas.register('api_keys', (workspaceId, tx) => apiKeysRepository.countActive(workspaceId, tx));
  }
}

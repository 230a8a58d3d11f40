import { Module } from '@nestjs/common';
import { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { QuotasService } from './quotas.service.js';

/** Quotas for the modules that add to them. */
@Module({ providers: [QuotasService, WorkspacesRepository], exports: [QuotasService] })
export class QuotasModule {}

import { Module } from '@nestjs/common';
import { TenantRowsRepository } from './workspaces/tenant-rows.repository.js';

/** The rows of a workspace in all tables; needs neither Redis nor a media store. */
@Module({ providers: [TenantRowsRepository], exports: [TenantRowsRepository] })
export class TenantRowsModule {}

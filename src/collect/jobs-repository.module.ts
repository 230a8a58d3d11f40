import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasModule } from '../tenants/quotas.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { Job } from './jobs/job.entity.js';
import { JobsRepository } from './jobs/jobs.repository.js';

/** Jobs and their quota, for every process that creates jobs: those of the API, schedulers and operator commands. */
@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([Job])],
  providers: [JobsRepository],
  exports: [JobsRepository, QuotasModule],
})
export class JobsRepositoryModule {
  constructor(quotas: QuotasService, jobsRepository: JobsRepository) {
    quotas.register('pending_jobs', (workspaceId, tx) => jobsRepository.countPending(workspaceId, tx));
  }
}

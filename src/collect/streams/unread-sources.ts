import { Injectable } from '@nestjs/common';
import { ReportInputs } from '../../tenants/ports/report-inputs.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { ListenersRepository } from './listeners.repository.js';

/** Names to reports what was not read: targets of failed jobs, and gaps of sources that are listened to. */
@Injectable()
export class UnreadSources {
  constructor(reports: ReportInputs, jobs: JobsRepository, listeners: ListenersRepository) {
    reports.registerUnread(async (workspaceId, from, to) => [
      ...(await jobs.unreadTargets(workspaceId, from, to)),
      ...(await listeners.unreadSources(workspaceId, from, to)),
    ]);
  }
}

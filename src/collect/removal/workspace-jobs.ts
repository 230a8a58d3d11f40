import { Injectable } from '@nestjs/common';
import { WorkspaceFrequencies } from '../../enrichment/keywords/workspace-frequencies.js';
import { WorkspaceStores } from '../../tenants/ports/workspace-stores.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { JobExecutionsRepository } from '../scraping/job-executions.repository.js';
import { KeywordFrequenciesRepository } from '../scraping/keyword-frequencies.repository.js';

/** The part of jobs in the deletion and the reset of workspaces: executions end first, so that none stores anything afterwards. */
@Injectable()
export class WorkspaceJobs {
  constructor(
    jobs: JobsRepository,
    executions: JobExecutionsRepository,
    frequencies: KeywordFrequenciesRepository,
    stores: WorkspaceStores,
  ) {
    stores.register({
      kept: ['job_turns', 'keyword_frequencies'],
      // An execution that is stopping may still store a batch or a file.
      isBusy: (workspaceId) => executions.hasLive(workspaceId),
      stop: async (workspaceId, tx) => {
        await executions.removeAll(workspaceId, tx);
        await jobs.cancelAll(workspaceId, tx);
        await frequencies.reset(workspaceId, new WorkspaceFrequencies().toBuffer(), tx);
      },
    });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { QuotasService } from '../usage/quotas.service.js';

/** Counts pending jobs against their quota wherever jobs are created: in API processes and in schedulers. */
@Injectable()
export class PendingJobs {
  constructor(@InjectDataSource() dataSource: DataSource, quotas: QuotasService) {
    quotas.register('pending_jobs', async (workspaceId, tx = dataSource.manager) => {
      const [row] = await tx.query<[{ count: number }]>(
        `SELECT count(*)::int AS count FROM jobs WHERE workspace_id = $1 AND status = 'pending'`,
        [workspaceId],
      );
      return row.count;
    });
  }
}

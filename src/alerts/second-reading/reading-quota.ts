import { Injectable } from '@nestjs/common';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { ReadingsRepository } from './readings.repository.js';

/** The number of second readings that a workspace may have on a day (UTC). */
@Injectable()
export class ReadingQuota {
  constructor(
    private readonly quotas: QuotasService,
    private readonly readings: ReadingsRepository,
  ) {
    quotas.register('second_readings_per_day', (workspaceId, tx) => readings.callsToday(workspaceId, tx));
  }

  /** Counts one; false, and not counted, when there are as many as allowed. */
  async take(workspaceId: string): Promise<boolean> {
    return this.readings.take(workspaceId, await this.quotas.limit(workspaceId, 'second_readings_per_day'));
  }
}

import { Injectable } from '@nestjs/common';
import { isSamePlan, nextSending, planOf } from '../../../alerts/reports/report-period.js';
import { newId } from '../../../common/ids.js';
import { DatabaseClock } from '../../../database/database-clock.js';
import { TransactionRunner } from '../../../database/transaction-runner.js';
import { noteRecord } from '../../../http/request/noted-record.js';
import { Problem } from '../../../http/problems/problem.js';
import { QuotasService } from '../../../tenants/usage/quotas.service.js';
import { ExportDestinations } from '../destination/export-destinations.js';
import { choicesOf } from '../export-choices.js';
import {
  type CreateRecurringExportDto,
  RecurringExportDto,
  type UpdateRecurringExportDto,
} from './recurring-export.dto.js';
import type { RecurringExport } from './recurring-export.entity.js';
import { RecurringExportsRepository } from './recurring-exports.repository.js';

/** Creates, lists, pauses and deletes recurring exports. */
@Injectable()
export class RecurringExportsService {
  constructor(
    private readonly recurring: RecurringExportsRepository,
    private readonly destinations: ExportDestinations,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
  ) {}

  /** All recurring exports, oldest first. */
  async list(workspaceId: string): Promise<RecurringExportDto[]> {
    return (await this.recurring.list(workspaceId)).map((one) => RecurringExportDto.from(one));
  }

  /** Throws 400 for choices that no export can have and unusable destinations, and 403 `quota_exceeded`. */
  async create(workspaceId: string, request: CreateRecurringExportDto): Promise<RecurringExportDto> {
    const onlyChanges = request.only_changes ?? false;
    const choices = await choicesOf(request, onlyChanges ? 'only_changes' : null);
    const destination = this.destinations.seal(workspaceId, request.destination);
    const plan = planOf(request);
    return this.transactions.run(async (tx) => {
      const createdAt = await this.clock.now(tx);
      const recurring: RecurringExport = {
        ...{ workspaceId, id: newId(), name: request.name, choices, onlyChanges, createdAt },
        ...destination,
        ...plan,
        dueAt: new Date(nextSending(plan, createdAt.getTime())),
        ...{ isActive: true, base: null, lastRun: null },
      };
      await this.quotas.enforce(workspaceId, 'recurring_exports', 1, tx);
      await this.recurring.insert(recurring, tx);
      return RecurringExportDto.from(recurring);
    });
  }

  /** Changes its name or times, pauses or resumes it; due times that passed meanwhile are not made up for. Throws 404. */
  async update(
    workspaceId: string,
    id: string,
    { is_active, name, ...times }: UpdateRecurringExportDto,
  ): Promise<RecurringExportDto> {
    return this.transactions.run(async (tx) => {
      const before = await this.recurring.lock(workspaceId, id, tx);
      if (before === null) throw Problem.notFound('recurring export');
      const isActive = is_active ?? before.isActive;
      const plan = planOf(times, before);
      const isKept = isSamePlan(plan, before) && (before.isActive || !isActive);
      const now = await this.clock.now(tx);
      const dueAt = isKept ? before.dueAt : new Date(nextSending(plan, now.getTime()));
      const changes = { ...plan, name: name ?? before.name, isActive, dueAt };
      await this.recurring.update(workspaceId, id, changes, tx);
      const after = RecurringExportDto.from({ ...before, ...changes });
      noteRecord(RecurringExportDto.from(before), after);
      return after;
    });
  }

  /** Keeps the runs. Throws 404. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const found = await this.recurring.find(workspaceId, id);
    if (found === null) throw Problem.notFound('recurring export');
    noteRecord(RecurringExportDto.from(found), null);
    await this.recurring.delete(workspaceId, id);
  }
}

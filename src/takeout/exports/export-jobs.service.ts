import { Injectable } from '@nestjs/common';
import { newId, parseId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { OffsetPageDto } from '../../http/pages/page.dto.js';
import { Problem } from '../../http/problems/problem.js';
import type { StoredFile } from '../../http/files/stored-file.js';
import { MediaStore } from '../../content/media/media-store.js';
import { type CreateExportDto, ExportDto, type ExportPageDto } from './dto/export-job.dto.js';
import { ExportDestinations } from './destination/export-destinations.js';
import { partContentType, partName } from './export-format.js';
import { choicesOf } from './export-choices.js';
import type { ExportJob } from './export-job.entity.js';
import { ExportJobsRepository, MAX_UNFINISHED } from './export-jobs.repository.js';
import { ExportMetrics } from './export-metrics.js';
import { ExportQuota } from './export-quota.js';
import { storedPart } from './stored-part.js';

/** Folder of one export's files in the media store. */
export const exportFolder = (workspaceId: string, id: string): string =>
  `${workspaceExportsFolder(workspaceId)}/${id}`;

/** Folder of the files of all exports of a workspace in the media store. */
export const workspaceExportsFolder = (workspaceId: string): string => `exports/${workspaceId}`;

/** Creates, lists and removes the exports that workers write. */
@Injectable()
export class ExportJobsService {
  constructor(
    private readonly jobs: ExportJobsRepository,
    private readonly store: MediaStore,
    private readonly exportQuota: ExportQuota,
    private readonly destinations: ExportDestinations,
    private readonly transactions: TransactionRunner,
    private readonly metrics: ExportMetrics,
  ) {}

  /** Queues an export. Throws 400 for invalid choices, an unusable destination or base, 403 `quota_exceeded`, and 429. */
  async create(workspaceId: string, body: CreateExportDto): Promise<ExportDto> {
    const choices = await choicesOf(body, body.incremental_from === undefined ? null : 'incremental_from');
    const destination = this.destinations.seal(workspaceId, body.destination);
    const base = await this.baseOf(workspaceId, body, choices.filters);
    await this.exportQuota.enforce(workspaceId, 1);
    const job = {
      ...choices,
      ...destination,
      id: newId(),
      name: body.name ?? null,
      recurringId: null,
      incrementalFrom: base?.id ?? null,
      changedSince: base?.horizon ?? null,
    };
    if (await this.jobs.insert(workspaceId, job, MAX_UNFINISHED))
      return ExportDto.from(await this.find(workspaceId, job.id), []);
    throw this.exportQuota.tooManyUnfinished();
  }

  async list(workspaceId: string, query: OffsetPageDto): Promise<ExportPageDto> {
    const { found, ...rest } = await this.jobs.page(workspaceId, query);
    return { exports: found.map(([job, parts]) => ExportDto.from(job, parts)), ...rest };
  }

  /** Throws 404. */
  async get(workspaceId: string, id: string): Promise<ExportDto> {
    return ExportDto.from(await this.find(workspaceId, id), await this.jobs.listParts(workspaceId, [id]));
  }

  /** A finished file. Throws 404; opening it throws 404 too when its bytes are missing. */
  async openPart(workspaceId: string, id: string, number: number): Promise<StoredFile> {
    const job = await this.find(workspaceId, id);
    const part = await this.jobs.findPart(workspaceId, id, number);
    if (part === null)
      throw new Problem(
        'not_found',
        `The export has no part ${number}. Its status is ${job.status}; its \`parts\` lists the existing ones.`,
      );
    return storedPart(this.store, part, {
      contentType: partContentType(job),
      name: partName(job, part.number),
      missing: 'The file is missing from the media store. Create a new export.',
    });
  }

  /** Cancels an unfinished export or deletes an ended one, and removes its files. Throws 404. */
  async remove(workspaceId: string, id: string): Promise<'cancelled' | 'deleted'> {
    await this.find(workspaceId, id);
    const isCancelled = await this.transactions.run((tx) => this.jobs.cancel(workspaceId, id, tx));
    await this.store.removeFolder(exportFolder(workspaceId, id));
    if (isCancelled) {
      this.metrics.count('cancelled');
      return 'cancelled';
    }
    await this.jobs.delete(workspaceId, id);
    return 'deleted';
  }

  private async find(workspaceId: string, id: string): Promise<ExportJob> {
    const job = await this.jobs.find(workspaceId, id);
    if (job === null)
      throw new Problem(
        'not_found',
        'No such export in this workspace. Exports are deleted seven days after they end. Create a new one.',
      );
    return job;
  }

  private async baseOf(
    workspaceId: string,
    { of, incremental_from: from, pseudonymize = false }: CreateExportDto,
    filters: Record<string, unknown>,
  ): Promise<ExportJob | null> {
    if (from === undefined) return null;
    const refuse = (message: string) => Problem.validation([{ field: 'incremental_from', message }]);
    const base = await this.jobs.find(workspaceId, parseId('export', from)!);
    if (base === null)
      throw refuse(
        'incremental_from is not an export of this workspace. Exports are kept for seven days. Omit the field to export all rows.',
      );
    if (base.status !== 'completed')
      throw refuse(`incremental_from must be a completed export. This one is ${base.status}.`);
    if (base.kind !== of)
      throw refuse(`incremental_from must be an export of ${of}. This one is of ${base.kind}.`);
    if (JSON.stringify(sorted(base.filters)) !== JSON.stringify(sorted(filters)))
      throw refuse('incremental_from must be an export with the same filters.');
    if (base.pseudonymize !== pseudonymize)
      throw refuse('incremental_from must be an export with the same pseudonymize.');
    if (base.databaseId !== (await this.jobs.databaseId()))
      throw refuse(
        'The database was restored after the export in incremental_from. Omit the field to export all rows.',
      );
    if (await this.jobs.areRowsDistributed())
      throw refuse(
        'incremental_from does not work while rows are distributed over several servers. Omit the field to export all rows.',
      );
    return base;
  }
}

const sorted = (filters: Record<string, unknown>): [string, unknown][] =>
  Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));

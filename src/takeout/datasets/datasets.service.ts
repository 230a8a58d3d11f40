import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { OffsetPageDto } from '../../http/pages/page.dto.js';
import { Problem } from '../../http/problems/problem.js';
import type { StoredFile } from '../../http/files/stored-file.js';
import { checkedFilters } from '../exports/export-filters.js';
import { storedPart } from '../exports/stored-part.js';
import { MediaStore } from '../../content/media/media-store.js';
import type { Dataset } from './dataset.entity.js';
import { CONTENT_TYPE, datasetFolder } from './dataset-files.js';
import { DatasetsRepository } from './datasets.repository.js';
import { fileNameOf } from './dto/dataset-manifest.dto.js';
import { type CreateDatasetDto, DatasetDto, type DatasetPageDto } from './dto/dataset.dto.js';

/** Maximum number of datasets of a workspace. */
const MAX_DATASETS = 1_000;

/** Creates, lists and deletes datasets, which workers write. */
@Injectable()
export class DatasetsService {
  constructor(
    private readonly datasets: DatasetsRepository,
    private readonly store: MediaStore,
  ) {}

  /** Queues a dataset. Throws 400 for invalid filters and 403 `quota_exceeded`. */
  async create(workspaceId: string, { name, of, q, filters = {} }: CreateDatasetDto): Promise<DatasetDto> {
    if ('q' in filters)
      throw Problem.validation([{ field: 'filters.q', message: 'Send q next to filters, not in it' }]);
    const checked = await checkedFilters(of, { ...filters, ...(q !== undefined && { q }) });
    const dataset = { id: newId(), name, kind: of, filters: checked };
    const inserted = await this.datasets.insert(workspaceId, dataset, MAX_DATASETS);
    if (inserted === null)
      throw new Problem(
        'quota_exceeded',
        `A workspace has at most ${MAX_DATASETS} datasets. Delete those that are not needed.`,
      );
    return DatasetDto.from(inserted, []);
  }

  async list(workspaceId: string, query: OffsetPageDto): Promise<DatasetPageDto> {
    const { found, ...rest } = await this.datasets.page(workspaceId, query);
    return { datasets: found.map(([dataset, parts]) => DatasetDto.from(dataset, parts)), ...rest };
  }

  /** Throws 404. */
  async get(workspaceId: string, id: string): Promise<DatasetDto> {
    return DatasetDto.from(
      await this.find(workspaceId, id),
      await this.datasets.listParts(workspaceId, [id]),
    );
  }

  /** A file of a completed dataset. Throws 404; opening it throws 404 too when its bytes are missing. */
  async openPart(workspaceId: string, id: string, number: number): Promise<StoredFile> {
    const dataset = await this.find(workspaceId, id);
    const part = await this.datasets.findPart(workspaceId, id, number);
    if (part === null || dataset.status !== 'completed')
      throw new Problem(
        'not_found',
        `The dataset has no part ${number}. Its status is ${dataset.status}; its \`parts\` lists the existing ones.`,
      );
    return storedPart(this.store, part, {
      contentType: CONTENT_TYPE,
      name: fileNameOf(dataset, number),
      missing: 'The file is missing from the media store.',
    });
  }

  /** Deletes a dataset with its files. Throws 404. */
  async delete(workspaceId: string, id: string): Promise<void> {
    await this.find(workspaceId, id);
    // The files first, so that a crash leaves none without a record; then those that a worker stored since.
    await this.store.removeFolder(datasetFolder(workspaceId, id));
    await this.datasets.delete(workspaceId, id);
    await this.store.removeFolder(datasetFolder(workspaceId, id));
  }

  private async find(workspaceId: string, id: string): Promise<Dataset> {
    const dataset = await this.datasets.find(workspaceId, id);
    if (dataset === null) throw Problem.notFound('dataset');
    return dataset;
  }
}

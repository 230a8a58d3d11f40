import { Injectable } from '@nestjs/common';
import { ReportInputs } from '../../tenants/ports/report-inputs.js';
import { SavedSearchesRepository } from './saved-searches.repository.js';

/** Registers the saved searches that reports count. */
@Injectable()
export class ReportedSearches {
  constructor(reports: ReportInputs, searches: SavedSearchesRepository) {
    reports.registerSearches(async (workspaceId, ids) =>
      (await searches.findAll(workspaceId, ids)).map(({ id, name, of, q, filters }) => ({
        ...{ id, name, of },
        filters: { ...filters, ...(q !== null && { q }) },
      })),
    );
  }
}

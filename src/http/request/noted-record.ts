import { presentResponse } from '../../common/work-scope.js';

/**
 * A record that a request changes, in the names of the API and without secrets and addresses that are credentials; `after`
 * is null for a deleted one.
 */
export interface NotedRecord {
  before: object | null;
  after: object | null;
}

/** Hands the record that the present request changes to the audit log. Does nothing outside requests. */
export function noteRecord(before: object, after: object | null): void {
  const request = presentResponse()?.req as { noted?: NotedRecord } | undefined;
  if (request !== undefined) request.noted = { before, after };
}

import { Injectable } from '@nestjs/common';
import { nameOfSubject } from '../../tenants/ports/erasure-subject.js';
import { Traces } from '../../tenants/ports/traces.js';
import { WorkspaceStores } from '../../tenants/ports/workspace-stores.js';
import { AuditRepository } from './audit.repository.js';

/** Clears names and settings of entries: those with the name of an erasure, and all of a workspace that is emptied. */
@Injectable()
export class AuditTraces {
  constructor(traces: Traces, stores: WorkspaceStores, entries: AuditRepository) {
    traces.register({
      erase: async (workspaceId, subject) => {
        if (subject !== null) await entries.clearDetails(workspaceId, nameOfSubject(subject));
      },
    });
    stores.register({ empty: (workspaceId) => entries.clearDetails(workspaceId, null) });
  }
}

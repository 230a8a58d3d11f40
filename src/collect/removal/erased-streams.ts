import { Injectable } from '@nestjs/common';
import { SOURCES } from '../../platforms/registry.js';
import type { Subject } from '../../tenants/ports/erasure-subject.js';
import { Traces } from '../../tenants/ports/traces.js';
import { HeardTextsRepository } from '../streams/heard-texts.repository.js';
import { StreamsRepository } from '../streams/streams.repository.js';

/** Erases streamed posts and comments. Every call can be repeated. */
@Injectable()
export class ErasedStreams {
  constructor(
    private readonly streams: StreamsRepository,
    private readonly heard: HeardTextsRepository,
    traces: Traces,
  ) {
    traces.registerOfRecords(this.erase.bind(this));
  }

  /** Removes the records; of an author, everything by the accounts that wrote them. */
  async erase(workspaceId: string, subject: Subject, ids: readonly string[]): Promise<void> {
    const accounts = ids.map((id) => SOURCES.ofId(id)?.ids.accountOf?.(id) ?? null);
    const beginnings = subject.kind === 'author' ? accounts.filter((account) => account !== null) : [];
    const distinct = [...new Set(beginnings)];
    await this.streams.forget(workspaceId, ids, distinct);
    await this.heard.erase(workspaceId, ids, distinct);
  }
}

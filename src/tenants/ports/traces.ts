import { Injectable } from '@nestjs/common';
import type { Subject } from './erasure-subject.js';

/** Numbers of erased traces, by the kinds that an erasure counts. */
export interface TraceCounts {
  events: number;
  exports: number;
  jobs: number;
  schedules: number;
  responses: number;
}

/** Erases the traces that one owner keeps of subjects besides rows of posts and comments. Both calls can be repeated. */
export interface Trace {
  /**
   * Erases or masks traces once the posts and comments are gone. The subject is null when an erasure of a restored list
   * knows only hashes; then only files that may contain any erased content are removed.
   */
  erase(workspaceId: string, subject: Subject | null): Promise<Partial<TraceCounts> | void>;
}

/** Erases traces of posts and comments with these ids, which are erased next. */
type EraseOfRecords = (workspaceId: string, subject: Subject, ids: readonly string[]) => Promise<void>;

/** Where the owners of tables and files register the erasure of traces, so that erasures know no table. */
@Injectable()
export class Traces {
  private readonly owners: Trace[] = [];
  private readonly ofRecords: EraseOfRecords[] = [];

  /** Call it once per owner, at startup. */
  register(trace: Trace): void {
    this.owners.push(trace);
  }

  /** As {@link register}, for traces that are found by the ids of records. */
  registerOfRecords(erase: EraseOfRecords): void {
    this.ofRecords.push(erase);
  }

  /** Erases all traces of a subject; returns the sums. */
  async erase(workspaceId: string, subject: Subject | null): Promise<TraceCounts> {
    const sums: TraceCounts = { events: 0, exports: 0, jobs: 0, schedules: 0, responses: 0 };
    for (const owner of this.owners) {
      const counts = (await owner.erase(workspaceId, subject)) ?? {};
      for (const [kind, count] of Object.entries(counts)) sums[kind as keyof TraceCounts] += count;
    }
    return sums;
  }

  /** Erases the traces of posts and comments that are erased next. */
  async eraseOfRecords(workspaceId: string, subject: Subject, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const erase of this.ofRecords) await erase(workspaceId, subject, ids);
  }
}

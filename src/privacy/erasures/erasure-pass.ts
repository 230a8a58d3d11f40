import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../common/collections.js';
import { ErasedTextsRepository } from '../../search/erased-texts.repository.js';
import { ErasedDatasets } from '../../takeout/datasets/erased-datasets.js';
import type { Subject } from '../../tenants/ports/erasure-subject.js';
import { Traces } from '../../tenants/ports/traces.js';
import { COMMENTS_AT_ONCE, ErasedRows } from './erased-rows.js';
import { RowsToErase, POSTS_AT_ONCE } from './rows-to-erase.js';
import type { Erasure, ErasurePhase } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';

/**
 * Carries out an erasure in steps, each of which can be repeated after a crash: the rows and all that belongs to them,
 * other traces, and finally the search index, which the builder of segments rewrites.
 */
@Injectable()
export class ErasurePass {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly found: RowsToErase,
    private readonly rows: ErasedRows,
    private readonly datasets: ErasedDatasets,
    private readonly traces: Traces,
    private readonly texts: ErasedTextsRepository,
  ) {}

  /** Executes the next step. Returns whether another can follow at once. */
  async step(erasure: Erasure, signal: AbortSignal): Promise<boolean> {
    const { workspaceId, id } = erasure;
    switch (erasure.phase) {
      case 'begin':
        await this.rows.suppress(erasure, []);
        return this.next(erasure, erasure.sealedSubject === null ? 'examine_posts' : 'rows');
      case 'examine_posts':
        return this.examinePosts(erasure, signal);
      case 'examine_comments':
        return this.examineComments(erasure, signal);
      case 'rows':
        return this.eraseRows(erasure, await this.found.subjectOf(erasure), signal);
      case 'datasets':
        return this.eraseDatasets(erasure);
      case 'traces': {
        const subject = erasure.sealedSubject === null ? null : await this.found.subjectOf(erasure);
        await this.erasures.count(workspaceId, id, await this.traces.erase(workspaceId, subject));
        await this.texts.expediteChanges(workspaceId);
        return this.next(erasure, 'changes');
      }
      case 'changes':
        if (await this.texts.isDue(workspaceId)) return false;
        await this.texts.expediteSegments(workspaceId);
        return this.next(erasure, 'segments');
      case 'segments':
        if (await this.texts.isDue(workspaceId)) return false;
        await this.erasures.complete(workspaceId, erasure);
        return false;
    }
  }

  private async next(erasure: Erasure, phase: ErasurePhase, scannedTo: string | null = null): Promise<true> {
    await this.erasures.advance(erasure.workspaceId, erasure.id, phase, scannedTo);
    return true;
  }

  private async eraseRows(erasure: Erasure, subject: Subject, signal: AbortSignal): Promise<true> {
    const { posts, comments } = await this.found.find(erasure.workspaceId, subject);
    await this.traces.eraseOfRecords(erasure.workspaceId, subject, [...posts, ...comments]);
    if (posts.length > 0) await this.rows.erasePosts(erasure, posts, signal);
    else if (comments.length > 0) await this.rows.eraseComments(erasure, comments, signal);
    else return this.next(erasure, 'datasets');
    return true;
  }

  /** Erases the rows of the next file of a dataset. Those that are being written start again. */
  private async eraseDatasets(erasure: Erasure): Promise<true> {
    const { workspaceId, id, scannedTo } = erasure;
    if (scannedTo === null) await this.datasets.restart(workspaceId);
    const position = await this.datasets.eraseNext(
      workspaceId,
      scannedTo,
      (rows, subjectsOf) => this.found.named(erasure, rows, subjectsOf),
      (removed, tx) => this.erasures.count(workspaceId, id, { dataset_rows: removed }, tx),
    );
    return position === null ? this.next(erasure, 'traces') : this.next(erasure, 'datasets', position);
  }

  /** Examines the next posts by the hashes that a restored list brought, and erases those that it names. */
  private async examinePosts(erasure: Erasure, signal: AbortSignal): Promise<true> {
    const { ids, scannedTo } = await this.found.examinePosts(erasure);
    for (const posts of chunksOf(ids, POSTS_AT_ONCE))
      while (!(await this.rows.erasePosts(erasure, posts, signal)));
    return this.next(erasure, scannedTo === null ? 'examine_comments' : 'examine_posts', scannedTo);
  }

  private async examineComments(erasure: Erasure, signal: AbortSignal): Promise<true> {
    const { ids, scannedTo } = await this.found.examineComments(erasure);
    for (const comments of chunksOf(ids, COMMENTS_AT_ONCE))
      await this.rows.eraseComments(erasure, comments, signal);
    return this.next(erasure, scannedTo === null ? 'datasets' : 'examine_comments', scannedTo);
  }
}

import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { WorkspaceFrequencies } from '../../enrichment/keywords/workspace-frequencies.js';
import { mapInSlices } from '../../enrichment/slices.js';
import { KeywordFrequenciesRepository, NO_VERSION } from './keyword-frequencies.repository.js';

/** At most about a megabyte each. */
const MOST_CACHED = 16;
const POSTS_AT_ONCE = 200;

/**
 * What a workspace always talks about. A job reads what was learned when it began and teaches what it brought when it
 * ends, so that its keywords do not depend on when its worker was killed or what other jobs did meanwhile.
 */
@Injectable()
export class WorkspaceKeywords {
  private readonly logger = new Logger(WorkspaceKeywords.name);
  private readonly cache = new Map<string, WorkspaceFrequencies>();

  constructor(
    private readonly repository: KeywordFrequenciesRepository,
    private readonly analyzer: TextAnalyzer,
  ) {}

  /** What the job reads; undefined while nothing was learned. Not to be written to. */
  async ofJob(workspaceId: string, jobId: string): Promise<WorkspaceFrequencies | undefined> {
    const version = await this.repository.versionOf(workspaceId, jobId);
    if (version === NO_VERSION) return undefined;
    const key = `${workspaceId}:${version}`;
    const cached = this.cache.get(key);
    this.cache.delete(key);
    const frequencies = cached ?? this.decode(workspaceId, await this.repository.read(workspaceId, version));
    this.cache.set(key, frequencies);
    if (this.cache.size > MOST_CACHED) this.cache.delete(this.cache.keys().next().value!);
    return frequencies;
  }

  /** Counts the posts that the job found new, before its work list is emptied; null when there is nothing to learn. */
  async gather(workspaceId: string, jobId: string): Promise<WorkspaceFrequencies | null> {
    const frequencies = new WorkspaceFrequencies();
    try {
      for (let after = ''; ;) {
        const posts = await this.repository.newPosts(workspaceId, jobId, after, POSTS_AT_ONCE);
        await mapInSlices(posts, (post) => this.analyzer.learnPost(post.title, post.selftext, frequencies));
        if (posts.length < POSTS_AT_ONCE) break;
        after = posts.at(-1)!.id;
      }
    } catch (error) {
      this.logger.warn({ err: error, workspaceId, jobId }, 'keywords of a job were not learned');
      return null;
    }
    return frequencies.documents > 0 ? frequencies : null;
  }

  /** Adds what a job gathered to what the workspace knows; once a job, in the transaction that ends it. */
  learn(workspaceId: string, gathered: WorkspaceFrequencies, tx: EntityManager): Promise<void> {
    return this.repository.append(
      workspaceId,
      (newest) => {
        const frequencies = newest === null ? new WorkspaceFrequencies() : this.decode(workspaceId, newest);
        frequencies.merge(gathered);
        return frequencies.toBuffer();
      },
      tx,
    );
  }

  /** Damaged bytes must not keep a workspace from being scraped; it learns anew. */
  private decode(workspaceId: string, state: Buffer | null): WorkspaceFrequencies {
    try {
      if (state !== null) return WorkspaceFrequencies.fromBuffer(state);
    } catch (error) {
      this.logger.warn({ err: error, workspaceId }, 'saved phrase frequencies are left out');
    }
    return new WorkspaceFrequencies();
  }
}

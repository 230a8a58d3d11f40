import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../database/database-clock.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import { PluginStep } from '../../enrichment/plugins/plugin-step.js';
import { textSteps } from '../../enrichment/text-steps.js';
import { SOURCES } from '../../platforms/registry.js';
import { AlertMatchingService, type PreparedMatcher } from '../../alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { EnrichmentPipeline } from '../scraping/enrichment-pipeline.js';
import type { CommentRow, PostRow } from '../scraping/records.js';
import { StepTimings } from '../scraping/step-timings.js';
import { type DumpBatch, dumpBatches } from './dump-batches.js';
import type { DumpSelection } from './dump-filter.js';
import type { DumpImport } from './dump-import.entity.js';
import { DumpImportsRepository } from './dump-imports.repository.js';
import { DumpReader } from './dump-reader.js';
import { isMbox, mboxBatches } from './mbox-batches.js';

const FINGERPRINT_BYTES = 1_024 * 1_024;
const UUID_BYTES = 16;

/** Which records of a dump to import, and how. */
export interface ImportOptions extends DumpSelection {
  /** Whether texts get language, sentiment and keywords. */
  analyze: boolean;
  /** Whether alerts match new records. */
  alerts: boolean;
}

/** Progress of an import. Counts cover the whole import, including interrupted attempts. */
export interface ImportProgress {
  /** Size of the file in bytes, and how many of them have been read. */
  size: number;
  position: number;
  lines: number;
  /** Number of new posts and comments. */
  posts: number;
  comments: number;
  /**
   * Selected records that the workspace already had; they are not changed. Counted since the import was last resumed.
   */
  existing: number;
  damagedLines: number;
  damagedParts: number;
}

/** A batch with the rows to store for its records. */
interface EnrichedBatch extends Omit<DumpBatch, 'posts' | 'comments'> {
  posts: PostRow[];
  comments: CommentRow[];
}

/** The state from which an interrupted import continues. */
type ImportState = Omit<DumpImport, 'workspaceId' | 'updatedAt' | 'completedAt'>;

/**
 * Imports dumps of posts and comments, without changing stored records. Keywords do not depend on the phrases of the
 * workspace, so that an interrupted import ends with the same rows as another.
 */
@Injectable()
export class DumpImportService {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly imports: DumpImportsRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly alerts: AlertMatchingService,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * Imports a file. If an import of the same file and selection was interrupted, continues it. Calls `onProgress` after
   * every batch. Throws when the file cannot be read or is no dump, and the signal's reason when it aborts.
   */
  async run(
    workspaceId: string,
    file: string,
    { analyze, alerts, ...selection }: ImportOptions,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
  ): Promise<ImportProgress> {
    const fingerprint = await fingerprintOf(file, selection);
    const found = await this.imports.find(workspaceId, fingerprint);
    const begun = found?.completedAt === null ? found : null;
    let state: ImportState = {
      fingerprint,
      file: basename(file),
      lines: begun?.lines ?? 0,
      posts: begun?.posts ?? 0,
      comments: begun?.comments ?? 0,
      damagedLines: begun?.damagedLines ?? 0,
    };
    const reader = new DumpReader(file);
    const progress: ImportProgress = { ...progressOf(reader, state), existing: 0 };
    const store = async (batch: EnrichedBatch): Promise<void> => {
      signal.throwIfAborted();
      const before = state;
      state = await this.store(workspaceId, before, batch, alerts, signal);
      const rows = batch.posts.length + batch.comments.length;
      const added = state.posts - before.posts + state.comments - before.comments;
      Object.assign(progress, progressOf(reader, state), { existing: progress.existing + rows - added });
      onProgress(progress);
    };
    const enrichment = this.enrichment(analyze);
    // What a platform shows meanwhile is newer than the dump.
    const begunAt = await this.clock.now();
    // One batch is written while the next one is being read and analysed.
    let writing = Promise.resolve();
    const batchesOf = (await isMbox(file)) ? mboxBatches : dumpBatches;
    for await (const batch of batchesOf(reader, file, selection, state)) {
      const rows = await enriched(batch, enrichment, begunAt);
      await writing;
      writing = store(rows);
      // A failure is thrown where the write is awaited.
      writing.catch(() => undefined);
    }
    await writing;
    return progress;
  }

  private enrichment(analyze: boolean): EnrichmentPipeline {
    const steps = analyze ? textSteps(TextAnalyzer.load()) : [];
    return new EnrichmentPipeline(new PluginStep(new PluginRunner()), steps, new StepTimings());
  }

  /** Stores a batch, matches alerts against its new rows if asked to, and returns the state after it. */
  private async store(
    workspaceId: string,
    state: ImportState,
    { posts, comments, lines, damagedLines, isLast }: EnrichedBatch,
    alerts: boolean,
    signal: AbortSignal,
  ): Promise<ImportState> {
    await this.setDepths(workspaceId, comments);
    const now = await this.clock.now();
    const write = (matcher: PreparedMatcher | null): Promise<ImportState> =>
      this.transactions.run(signal, async (tx) => {
        const { newIds: newPosts } = await this.posts.insertNew(workspaceId, posts, tx);
        const newComments = await this.comments.insertNew(workspaceId, comments, tx);
        if (alerts) {
          const added = {
            posts: posts.filter(({ id }) => newPosts.has(id)),
            comments: comments.filter(({ id }) => newComments.has(id)),
          };
          await this.alerts.matchBatch(workspaceId, importIdOf(state), added, matcher, tx);
        }
        const after = {
          ...state,
          lines,
          damagedLines,
          posts: state.posts + newPosts.size,
          comments: state.comments + newComments.size,
        };
        const times = { completedAt: isLast ? now : null, updatedAt: now };
        await this.imports.save(workspaceId, { ...after, ...times }, tx);
        return after;
      });
    return alerts ? this.alerts.withMatcher(workspaceId, write) : write(null);
  }

  /**
   * Sets the depth of replies to one more than their parent's, whether the parent is in the batch or stored, and to 1
   * if it is in neither.
   */
  private async setDepths(workspaceId: string, rows: readonly CommentRow[]): Promise<void> {
    const comments = new Map(rows.map((row) => [row.commentId, row]));
    const parents = new Set<string>();
    for (const { depth, parentId } of rows) if (depth < 0 && !comments.has(parentId)) parents.add(parentId);
    const stored = await this.comments.depths(
      workspaceId,
      [...parents].map((id) => SOURCES.commentNumber(id)),
    );
    const visiting: CommentRow[] = [];
    for (const comment of rows) {
      // A loop instead of recursion, because a reply can precede its parent and be thousands of levels deep.
      let at: CommentRow | undefined = comment;
      while (at !== undefined && at.depth < 0 && visiting.length <= comments.size) {
        visiting.push(at);
        at = comments.get(at.parentId);
      }
      for (let reply = visiting.pop(); reply !== undefined; reply = visiting.pop())
        if (reply.depth < 0) {
          const parent = comments.get(reply.parentId)?.depth ?? -1;
          reply.depth = (parent >= 0 ? parent : (stored.get(SOURCES.commentNumber(reply.parentId)) ?? 0)) + 1;
        }
    }
  }
}

/** The rows of a batch, in the order of the dump. */
async function enriched(
  batch: DumpBatch,
  enrichment: EnrichmentPipeline,
  readAt: Date,
): Promise<EnrichedBatch> {
  const posts = await enrichment.posts([...batch.posts.values()], readAt);
  return {
    ...batch,
    posts: posts.map(({ row }) => row),
    comments: await enrichment.comments([...batch.comments.values()], readAt),
  };
}

/** The uuid that the matches of an import have in place of a job's. */
const importIdOf = ({ fingerprint }: ImportState): string => fingerprint.toString('hex', 0, UUID_BYTES);

function progressOf(
  reader: DumpReader,
  state: Pick<DumpImport, 'lines' | 'posts' | 'comments' | 'damagedLines'>,
): Omit<ImportProgress, 'existing'> {
  const { lines, posts, comments } = state;
  return {
    size: reader.size,
    position: reader.position,
    lines,
    posts,
    comments,
    damagedLines: state.damagedLines + reader.damagedLines,
    damagedParts: reader.damagedParts,
  };
}

/** Identifies a file and a selection, so that an interrupted import of both can be resumed. */
async function fingerprintOf(file: string, selection: DumpSelection): Promise<Buffer> {
  const handle = await open(file);
  try {
    const beginning = Buffer.alloc(FINGERPRINT_BYTES);
    const { bytesRead } = await handle.read(beginning, 0, FINGERPRINT_BYTES, 0);
    const { size } = await handle.stat();
    const names = (list: readonly string[]): string[] => list.map((name) => name.toLowerCase()).sort();
    return createHash('sha256')
      .update(JSON.stringify([basename(file), size, names(selection.forums), names(selection.authors)]))
      .update(beginning.subarray(0, bytesRead))
      .digest();
  } finally {
    await handle.close();
  }
}

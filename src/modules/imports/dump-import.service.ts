import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { draftOfComment, draftOfPost } from '../../enrichment/enrichment-step.js';
import { SOURCES } from '../../platforms/registry.js';
import { readDumpRow } from '../../platforms/archive/dump-rows.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { CommentsRepository } from '../comments/comments.repository.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { toCommentRow, toPostRow } from '../scraping/records.js';
import { DumpFilter, type DumpSelection } from './dump-filter.js';
import { refuseUnreadable } from './dump-format.js';
import type { DumpImport } from './dump-import.entity.js';
import { DumpImportsRepository } from './dump-imports.repository.js';
import { DumpReader } from './dump-reader.js';

/** Number of rows per transaction. */
const BATCH_ROWS = 2_000;
/** Number of lines after which the position is stored even if none of them was selected. */
const BATCH_LINES = 500_000;
const FINGERPRINT_BYTES = 1_024 * 1_024;
/** Lines at the beginning of which at least one must be a post or comment. */
const FIRST_LINES = 1_000;

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

const NO_RECORD = 'no line of it is a post or a comment';

/** Records that are stored together, each once. */
interface Batch {
  posts: Map<string, PlatformPost>;
  comments: Map<string, PlatformComment>;
  lines: number;
  damagedLines: number;
}

/** The state from which an interrupted import continues. */
type ImportState = Omit<DumpImport, 'workspaceId' | 'updatedAt' | 'completedAt'>;

/**
 * Imports dumps of posts and comments. Adds no sentiment or keywords, triggers no alerts and does not change stored
 * records.
 */
@Injectable()
export class DumpImportService {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly imports: DumpImportsRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports a file. If an import of the same file and selection was interrupted, continues it. Calls `onProgress` after
   * every batch. Throws when the file cannot be read or is no dump, and the signal's reason when it aborts.
   */
  async run(
    workspaceId: string,
    file: string,
    selection: DumpSelection,
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
    const store = async (batch: Batch, isLast: boolean): Promise<void> => {
      signal.throwIfAborted();
      const before = state;
      state = await this.store(workspaceId, before, batch, isLast, signal);
      const rows = batch.posts.size + batch.comments.size;
      const added = state.posts - before.posts + state.comments - before.comments;
      Object.assign(progress, progressOf(reader, state), { existing: progress.existing + rows - added });
      onProgress(progress);
    };
    // One batch is written while the next one is being read.
    let writing = Promise.resolve();
    let last: Batch | null = null;
    for await (const { batch, isLast } of this.batches(reader, file, selection, state)) {
      await writing;
      if (isLast) last = batch;
      else writing = store(batch, false);
      // A failure is thrown where the write is awaited.
      writing.catch(() => undefined);
    }
    await writing;
    if (last !== null) await store(last, true);
    return progress;
  }

  private async *batches(
    reader: DumpReader,
    file: string,
    selection: DumpSelection,
    { lines: done, damagedLines }: Pick<DumpImport, 'lines' | 'damagedLines'>,
  ): AsyncGenerator<{ batch: Batch; isLast: boolean }> {
    const filter = new DumpFilter(selection);
    const next = (lines: number, damaged: number): Batch => ({
      posts: new Map(),
      comments: new Map(),
      lines,
      damagedLines: damaged,
    });
    let batch = next(0, damagedLines);
    let began = 0;
    // Lines that are neither post nor comment; null once one is.
    let unreadable: number | null = 0;
    for await (const lines of reader.lines()) {
      for (const line of lines) {
        batch.lines += 1;
        if (line.trim() === '') continue;
        if (unreadable !== null) unreadable = readDumpRow(line) === null ? unreadable + 1 : null;
        if (unreadable === FIRST_LINES) refuseUnreadable(file, NO_RECORD);
        if (batch.lines <= done || !filter.mayMatch(line)) continue;
        const row = readDumpRow(line);
        if (row === null) batch.damagedLines += 1;
        else if (row.kind === 'advertisement' || !filter.matches(row)) continue;
        else if (row.kind === 'post') setNew(batch.posts, row.post);
        else setNew(batch.comments, row.comment);
        if (batch.posts.size + batch.comments.size < BATCH_ROWS) continue;
        yield { batch, isLast: false };
        batch = next(batch.lines, batch.damagedLines);
        began = batch.lines;
      }
      if (batch.lines - began < BATCH_LINES || batch.lines <= done) continue;
      yield { batch, isLast: false };
      batch = next(batch.lines, batch.damagedLines);
      began = batch.lines;
    }
    if (unreadable !== null) refuseUnreadable(file, NO_RECORD);
    yield { batch, isLast: true };
  }

  /** Stores a batch and returns the state after it. */
  private async store(
    workspaceId: string,
    state: ImportState,
    batch: Batch,
    isLast: boolean,
    signal: AbortSignal,
  ): Promise<ImportState> {
    const now = this.clock.now();
    await this.setDepths(workspaceId, batch.comments);
    const posts = [...batch.posts.values()].map((post) => toPostRow(draftOfPost(post), now));
    const comments = [...batch.comments.values()].map((comment) =>
      toCommentRow(draftOfComment(comment), now),
    );
    return this.transactions.run(signal, async (tx) => {
      const after = {
        ...state,
        lines: batch.lines,
        damagedLines: batch.damagedLines,
        posts: state.posts + (await this.posts.insertNew(workspaceId, posts, tx)).size,
        comments: state.comments + (await this.comments.insertNew(workspaceId, comments, tx)),
      };
      const times = { completedAt: isLast ? now : null, updatedAt: now };
      await this.imports.save(workspaceId, { ...after, ...times }, tx);
      return after;
    });
  }

  /**
   * Sets the depth of replies to one more than their parent's, whether the parent is in the batch or stored, and to 1
   * if it is in neither.
   */
  private async setDepths(
    workspaceId: string,
    comments: ReadonlyMap<string, PlatformComment>,
  ): Promise<void> {
    const parents = new Set<string>();
    for (const { depth, parentId } of comments.values())
      if (depth < 0 && !comments.has(parentId)) parents.add(parentId);
    const stored = await this.comments.depths(
      workspaceId,
      [...parents].map((id) => SOURCES.commentNumber(id)),
    );
    const visiting: PlatformComment[] = [];
    for (const comment of comments.values()) {
      // A loop instead of recursion, because a reply can precede its parent and be thousands of levels deep.
      let at: PlatformComment | undefined = comment;
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

/** Adds a record unless the batch has one with its id: the first counts, as it does over the whole dump. */
function setNew<Row extends { id: string }>(rows: Map<string, Row>, row: Row): void {
  if (!rows.has(row.id)) rows.set(row.id, row);
}

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

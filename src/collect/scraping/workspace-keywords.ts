import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { WorkspaceFrequencies } from '../../enrichment/keywords/workspace-frequencies.js';
import { KeywordFrequenciesRepository, NO_VERSION } from './keyword-frequencies.repository.js';
import { WorkListRepository } from './work-list.repository.js';

/** Bytes of a phrase hash. */
const KEY_BYTES = 4;

/** Maximum number of cached decoded versions, each at most about a megabyte. */
const MAX_CACHED = 16;
const POSTS_PER_READ = 200;

/**
 * Tracks which phrases the posts of a workspace contain, and how often. A job reads the version that was newest when it
 * was first claimed, and its own phrases become the next version when it ends. Its keywords therefore depend neither on
 * when its worker was killed nor on concurrent jobs.
 */
@Injectable()
export class WorkspaceKeywords {
  private readonly logger = new Logger(WorkspaceKeywords.name);
  private readonly cache = new LRUCache<string, WorkspaceFrequencies>({ max: MAX_CACHED });

  constructor(
    private readonly frequencies: KeywordFrequenciesRepository,
    private readonly workList: WorkListRepository,
  ) {}

  /** The frequencies of a version, which callers must not modify; undefined for {@link NO_VERSION}. */
  async read(workspaceId: string, version: number): Promise<WorkspaceFrequencies | undefined> {
    if (version === NO_VERSION) return undefined;
    const key = `${workspaceId}:${version}`;
    const cached = this.cache.get(key);
    if (cached) return cached;
    const frequencies = this.decode(workspaceId, await this.frequencies.read(workspaceId, version));
    this.cache.set(key, frequencies);
    return frequencies;
  }

  /**
   * Collects the phrases of posts that were new to the workspace from the job's work list; null when there are none.
   */
  async gather(workspaceId: string, jobId: string): Promise<WorkspaceFrequencies | null> {
    const gathered = new WorkspaceFrequencies();
    for (let after = ''; ;) {
      const posts = await this.workList.phraseKeys(workspaceId, jobId, after, POSTS_PER_READ);
      for (const { keys } of posts) gathered.observe(bytesToKeys(keys));
      if (posts.length < POSTS_PER_READ) break;
      after = posts.at(-1)!.id;
    }
    return gathered.documents > 0 ? gathered : null;
  }

  /** Adds the gathered phrases as the workspace's next version, in the transaction that ends the job. */
  learn(workspaceId: string, gathered: WorkspaceFrequencies, tx: EntityManager): Promise<void> {
    return this.frequencies.append(
      workspaceId,
      (newest) => {
        const frequencies = newest === null ? new WorkspaceFrequencies() : this.decode(workspaceId, newest);
        frequencies.merge(gathered);
        return frequencies.toBuffer();
      },
      tx,
    );
  }

  /** Treats damaged bytes as no frequencies, so that they do not prevent a workspace from being scraped. */
  private decode(workspaceId: string, state: Buffer | null): WorkspaceFrequencies {
    try {
      if (state !== null) return WorkspaceFrequencies.fromBuffer(state);
    } catch (error) {
      this.logger.warn({ err: error, workspaceId }, 'saved phrase frequencies are damaged and left out');
    }
    return new WorkspaceFrequencies();
  }
}

/** Phrase hashes as bytes: unsigned 32-bit integers, little endian as on x64 and ARM. Shares the memory of `keys`. */
export function keysToBytes(keys: Uint32Array): Buffer {
  return Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
}

/** The hashes that {@link keysToBytes} wrote. */
function bytesToKeys(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, index) =>
    bytes.readUInt32LE(index * KEY_BYTES),
  );
}

import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { Problem } from '../../http/problem.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import {
  SecretBox,
  type SecretOwner,
  SecretUnreadableError,
} from '../../infrastructure/secrets/secret-box.js';
import { type HeldKey, IdempotencyRepository, type KeyOwner } from './idempotency.repository.js';

/** How long the first response is kept for replay. */
const KEPT_MS = 24 * 60 * 60_000;
/** After this time, a request without an outcome counts as lost: its process has presumably died. */
const LEASE_MS = 60_000;
const PRUNED_AT_ONCE = 1_000;
const READ_AT_ONCE = 200;

/** The first response to a request. */
export interface Answer {
  status: number;
  body: unknown;
}

/** Stores the first response to each idempotency key and replays it for 24 hours. */
@Injectable()
export class IdempotencyService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly stopping = new AbortController();

  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly transactions: RetryingTransactions,
    private readonly box: SecretBox,
    pruner: Pruner,
  ) {
    pruner.add('idempotency keys', () => this.pruneBatch());
  }

  /**
   * The response to replay, or the key under its lease when the request is the first. Throws 422 when the key was
   * used for a different request, 409 while the first request is being processed.
   */
  async begin(owner: KeyOwner, fingerprint: Buffer): Promise<{ answer: Answer } | { held: HeldKey }> {
    const times = { keptMs: KEPT_MS, leaseMs: LEASE_MS };
    const lease = await this.requests.begin(owner.workspaceId, owner, fingerprint, times);
    if (lease !== null) return { held: { ...owner, lease } };
    const stored = await this.requests.find(owner.workspaceId, owner);
    if (stored !== null && !stored.fingerprint.equals(fingerprint))
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used with a different request. Send a new key.',
      );
    // A missing row means that the first request has just failed; the caller may retry.
    if (stored === null || stored.status === null || stored.sealed_body === null)
      throw new Problem(
        'idempotency_conflict',
        'The first request with this Idempotency-Key is still being processed. Retry later.',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    const body = JSON.parse(this.box.open(stored.sealed_body, sealOwner(owner))) as unknown;
    return { answer: { status: stored.status, body } };
  }

  /** Stores the response encrypted, because it may contain a secret that is shown only once. */
  async complete(owner: HeldKey, answer: Answer): Promise<void> {
    await this.end(owner, (tx) => {
      const sealed = this.box.seal(JSON.stringify(answer.body ?? null), sealOwner(owner));
      return this.requests.complete(owner.workspaceId, owner, answer.status, sealed, tx);
    });
  }

  /** Releases the key after a failure, so that a repeat counts as a first request. */
  async release(owner: HeldKey): Promise<void> {
    await this.end(owner, (tx) => this.requests.release(owner.workspaceId, owner, tx));
  }

  /** Deletes one batch of expired responses. Returns whether there may be more. */
  async pruneBatch(): Promise<boolean> {
    return (await this.requests.deleteExpired(KEPT_MS, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE;
  }

  /**
   * Forgets the responses of a workspace that contain a text, in any case, and those that cannot be read; a repeat of
   * such a request then counts as a first one. Returns how many.
   */
  async forget(workspaceId: string, text: string): Promise<number> {
    const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
    let forgotten = 0;
    let after: KeyOwner | null = null;
    for (let isMore = true; isMore;) {
      const responses = await this.requests.listResponses(workspaceId, after, READ_AT_ONCE);
      for (const { sealedBody, ...owner } of responses) {
        if (!(this.openOrNull(sealedBody, owner)?.toLowerCase().includes(wanted) ?? true)) continue;
        await this.requests.delete(workspaceId, owner);
        forgotten += 1;
      }
      after = responses.at(-1) ?? null;
      isMore = responses.length === READ_AT_ONCE;
    }
    return forgotten;
  }

  private openOrNull(sealedBody: string, owner: KeyOwner): string | null {
    try {
      return this.box.open(sealedBody, sealOwner(owner));
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * Writes how the first request ended. Never throws, because the request has already taken effect or failed with its
   * own error. If Postgres is unavailable, the write is retried in the background, for less time than the lease lasts.
   */
  private async end(owner: KeyOwner, write: (tx?: EntityManager) => Promise<void>): Promise<void> {
    const { workspaceId } = owner;
    try {
      await write();
    } catch (error) {
      this.logger.warn({ err: error, workspaceId }, 'end of an idempotent request not stored at once');
      void this.transactions
        .run(this.stopping.signal, write)
        .catch((err: unknown) =>
          this.logger.warn({ err, workspaceId }, 'end of an idempotent request not stored'),
        );
    }
  }
}

function sealOwner({ workspaceId, apiKeyId, key }: KeyOwner): SecretOwner {
  return { workspaceId, purpose: `idempotency:${apiKeyId}:${key}` };
}

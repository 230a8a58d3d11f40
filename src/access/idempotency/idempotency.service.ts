import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { Problem } from '../../http/problems/problem.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import {
  SecretBox,
  type SecretOwner,
  SecretUnreadableError,
} from '../../infrastructure/secrets/secret-box.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import {
  type HeldKey,
  IdempotencyRepository,
  type KeyOwner,
  type StoredResponses,
} from './idempotency.repository.js';

/** How long the first response is kept for replay. */
const KEPT_MS = 24 * 60 * 60_000;
/** After this time, a request without an outcome counts as lost: its process has presumably died. */
const LEASE_MS = 60_000;
/** A larger response, in bytes of JSON, is not kept, and repeats of its request are refused. */
const MAX_RESPONSE_BYTES = 1_048_576;
const PRUNED_AT_ONCE = 1_000;
const READ_AT_ONCE = 200;

/** The first response to a request. */
export interface Answer {
  status: number;
  body: unknown;
}

const REMEDY =
  'Responses are kept for 24 hours. Send no Idempotency-Key until older ones expire, or ask the operator for a higher limit.';

/** Stores the first response to each idempotency key and replays it for 24 hours. */
@Injectable()
export class IdempotencyService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly stopping = new AbortController();

  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly transactions: RetryingTransactions,
    private readonly box: SecretBox,
    private readonly quotas: QuotasService,
    pruner: Pruner,
  ) {
    pruner.add('idempotency keys', () => this.pruneBatch());
    quotas.register('idempotency_keys', async (workspaceId) => (await requests.usage(workspaceId)).keys);
    quotas.register('idempotency_bytes', async (workspaceId) => (await requests.usage(workspaceId)).bytes);
  }

  /**
   * The response to replay, or the key under its lease when the request is the first. Throws 403 `quota_exceeded` for a
   * new key when too many responses are stored, 422 when the key was used for a different request, 409 while the first
   * request is being processed, or when its response was too large to keep.
   */
  async begin(owner: KeyOwner, fingerprint: Buffer): Promise<{ answer: Answer } | { held: HeldKey }> {
    const times = { keptMs: KEPT_MS, leaseMs: LEASE_MS };
    const limits = await this.limitsOf(owner.workspaceId);
    const lease = await this.requests.begin(owner.workspaceId, owner, fingerprint, times, limits);
    if (lease !== null) return { held: { ...owner, lease } };
    const stored = await this.requests.find(owner.workspaceId, owner);
    if (stored === null && (await this.makeRoom(owner.workspaceId, limits)))
      return this.begin(owner, fingerprint);
    if (stored !== null && !stored.fingerprint.equals(fingerprint))
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used with a different request. Send a new key.',
      );
    // A missing row means that the first request has just failed; the caller may retry.
    if (stored === null || stored.status === null)
      throw new Problem(
        'idempotency_conflict',
        'The first request with this Idempotency-Key is still being processed. Retry later.',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    if (stored.sealed_body === null)
      throw new Problem(
        'idempotency_conflict',
        `The first request with this Idempotency-Key took effect with status ${stored.status}, but its response of more than ${MAX_RESPONSE_BYTES} bytes was not kept. Read what it changed.`,
      );
    const body = JSON.parse(this.box.open(stored.sealed_body, sealOwner(owner))) as unknown;
    return { answer: { status: stored.status, body } };
  }

  /** Stores the response encrypted, because it may contain a secret that is shown only once. */
  async complete(owner: HeldKey, answer: Answer): Promise<void> {
    await this.end(owner, (tx) => {
      const body = JSON.stringify(answer.body ?? null);
      const isKept = Buffer.byteLength(body) <= MAX_RESPONSE_BYTES;
      const sealed = isKept ? this.box.seal(body, sealOwner(owner)) : null;
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

  /** Limits of what may be stored when a request with a new key begins. */
  private async limitsOf(workspaceId: string): Promise<StoredResponses> {
    const [keys, bytes] = [
      await this.quotas.limit(workspaceId, 'idempotency_keys'),
      await this.quotas.limit(workspaceId, 'idempotency_bytes'),
    ];
    return { keys: keys || Infinity, bytes: bytes || Infinity };
  }

  /**
   * Returns whether expired responses of a workspace that has reached a limit were deleted, so that others fit. Throws 403
   * `quota_exceeded` if there are none, and returns false within the limits.
   */
  private async makeRoom(workspaceId: string, limits: StoredResponses): Promise<boolean> {
    const usage = await this.requests.usage(workspaceId);
    const exceeded = (['keys', 'bytes'] as const).find((one) => usage[one] >= limits[one]);
    if (exceeded === undefined) return false;
    if ((await this.requests.deleteExpiredOf(workspaceId, KEPT_MS, PRUNED_AT_ONCE)) > 0) return true;
    throw this.quotas.refusal(
      'quota_exceeded',
      { quota: `idempotency_${exceeded}`, limit: limits[exceeded], used: usage[exceeded] },
      REMEDY,
    );
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

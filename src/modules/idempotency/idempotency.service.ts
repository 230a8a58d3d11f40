import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '../../http/problem.js';
import { SecretBox, type SecretOwner } from '../../infrastructure/secrets/secret-box.js';
import { IdempotencyRepository, type KeyOwner } from './idempotency.repository.js';

/** How long a first answer is replayed. */
const KEPT_MS = 24 * 60 * 60_000;
/** After that a request that neither answered nor failed is taken for lost with its process. */
const LEASE_MS = 60_000;

/** The first answer to a request. */
export interface Answer {
  status: number;
  body: unknown;
}

@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger(IdempotencyService.name);

  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly box: SecretBox,
  ) {}

  /**
   * The answer to replay, or null when the request is the first and now has the key.
   * Throws 422 when the key was used for something else, 409 while the first request is at work.
   */
  async begin(owner: KeyOwner, fingerprint: Buffer): Promise<Answer | null> {
    if (
      await this.requests.begin(owner.workspaceId, owner, fingerprint, { keptMs: KEPT_MS, leaseMs: LEASE_MS })
    ) {
      await this.requests.prune(owner.workspaceId, KEPT_MS);
      return null;
    }
    const stored = await this.requests.find(owner.workspaceId, owner);
    if (stored !== null && !stored.fingerprint.equals(fingerprint))
      throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another request');
    // Gone between the two looks: the first request has just failed, and its caller may try again.
    if (stored === null || stored.status === null || stored.sealed_body === null)
      throw new Problem(
        'idempotency_conflict',
        'The first request with this Idempotency-Key is still at work',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    return {
      status: stored.status,
      body: JSON.parse(this.box.open(stored.sealed_body, sealOwner(owner))) as unknown,
    };
  }

  /** Keeps the answer. It may hold a secret that is shown once, so it is stored sealed. */
  async complete(owner: KeyOwner, answer: Answer): Promise<void> {
    try {
      const sealed = this.box.seal(JSON.stringify(answer.body ?? null), sealOwner(owner));
      await this.requests.complete(owner.workspaceId, owner, answer.status, sealed);
    } catch (error) {
      // What was asked has been done; telling otherwise would have it done again.
      this.logger.warn({ err: error, workspaceId: owner.workspaceId }, 'answer not kept for repeats');
    }
  }

  /** Frees the key after a failure: nothing was done, so a repeat is a first request. */
  async release(owner: KeyOwner): Promise<void> {
    try {
      await this.requests.release(owner.workspaceId, owner);
    } catch (error) {
      this.logger.warn({ err: error, workspaceId: owner.workspaceId }, 'key not freed; its lease will end');
    }
  }
}

function sealOwner({ workspaceId, apiKeyId, key }: KeyOwner): SecretOwner {
  return { workspaceId, purpose: `idempotency:${apiKeyId}:${key}` };
}

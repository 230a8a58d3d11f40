import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { normalEmail } from '../../common/email-address.js';

/**
 * Maximum number of e-mails from one workspace to one recipient in an hour: one a minute, the rate of the fastest
 * schedule.
 */
const MAILS_PER_RECIPIENT = 60;
/** Maximum number of recipients of all e-mails of one workspace in an hour. */
const RECIPIENTS_PER_WORKSPACE = 1_000;
const HOUR_SECONDS = 3_600;

/**
 * Decides which recipients alerts may write to, and how often. Recipients do not confirm their addresses, so the limits
 * bound the messages of a workspace to a stranger. Each workspace is counted separately and cannot use up the limits of
 * another.
 */
export class MailLimits {
  /** `allowed` contains addresses and domains in the form of {@link normalEmail}; undefined allows every recipient. */
  constructor(
    private readonly allowed: readonly string[] | undefined,
    private readonly recipients: RateLimiterAbstract,
    private readonly workspaces: RateLimiterAbstract,
  ) {}

  /** Limits that all workers share through Redis. While Redis is unavailable, each worker counts separately. */
  static shared(allowed: readonly string[] | undefined, redis: Redis): MailLimits {
    const limiter = (keyPrefix: string, points: number): RateLimiterRedis =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix,
        points,
        duration: HOUR_SECONDS,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: HOUR_SECONDS }),
      });
    return new MailLimits(
      allowed,
      limiter('wss:mail:recipient', MAILS_PER_RECIPIENT),
      limiter('wss:mail:workspace', RECIPIENTS_PER_WORKSPACE),
    );
  }

  /** Whether the operator allows a recipient, by address or by domain. */
  isAllowed(recipient: string): boolean {
    if (this.allowed === undefined) return true;
    const address = normalEmail(recipient);
    return (
      this.allowed.includes(address) || this.allowed.includes(address.slice(address.lastIndexOf('@') + 1))
    );
  }

  /** Counts an e-mail. Returns why it must not be sent, or null if it may be. */
  async count(workspaceId: string, recipients: readonly string[]): Promise<string | null> {
    if (!(await consume(this.workspaces, workspaceId, recipients.length)))
      return 'The workspace has reached its hourly email limit';
    for (const recipient of recipients)
      if (!(await consume(this.recipients, `${workspaceId}:${normalEmail(recipient)}`, 1)))
        return 'A recipient has reached the hourly email limit';
    return null;
  }
}

async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<boolean> {
  try {
    await limiter.consume(key, points);
    return true;
  } catch (error) {
    // Any other error is a failure of the counter and must not stop mail.
    return !(error instanceof RateLimiterRes);
  }
}

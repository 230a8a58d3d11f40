import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { REDIS } from '../../infrastructure/queue/redis.js';
import { MailLimits } from './mail-limits.js';
import { mailTransport } from './mail-transport.js';

/** Sends messages about accounts, such as invitations, within the limits of alerts by e-mail. */
@Injectable()
export class ServiceMailer implements OnApplicationShutdown {
  private readonly logger = new Logger(ServiceMailer.name);
  private readonly limits: MailLimits;
  private readonly transport;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(REDIS) redis: Redis,
  ) {
    const { SMTP_URL: url, WEBHOOK_TIMEOUT_MS: timeout, ALERT_EMAIL_ALLOWED: allowed } = environment;
    this.limits = MailLimits.shared(allowed, redis);
    this.transport = url === undefined ? null : mailTransport(url, timeout);
  }

  /** Sends one e-mail. Never throws: returns why it was not sent, for the user; null if the mail server has it. */
  async send(
    workspaceId: string,
    email: string,
    { subject, text }: { subject: string; text: string },
  ): Promise<string | null> {
    if (this.transport === null) return 'the operator has not set SMTP_URL';
    if (!this.limits.isAllowed(email)) return 'it is not in ALERT_EMAIL_ALLOWED';
    try {
      const refusal = await this.limits.count(workspaceId, [email]);
      if (refusal !== null) return this.refused(workspaceId, refusal);
      await this.transport.sendMail({
        from: this.environment.MAIL_FROM!,
        to: { name: '', address: email },
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return null;
    } catch (error) {
      return this.refused(workspaceId, 'the mail server did not take the email', error);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }

  private refused(workspaceId: string, refusal: string, err?: unknown): string {
    this.logger.warn({ err, refusal, workspaceId }, 'email not sent');
    return refusal;
  }
}

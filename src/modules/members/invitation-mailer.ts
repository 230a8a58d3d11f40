import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { REDIS } from '../../infrastructure/queue/redis.module.js';
import { MailLimits } from '../notifications/mail-limits.js';
import { mailTransport } from '../notifications/mail-transport.js';

/** Sends invitations of new members by e-mail, within the limits of alerts by e-mail. */
@Injectable()
export class InvitationMailer implements OnApplicationShutdown {
  private readonly logger = new Logger(InvitationMailer.name);
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

  /** Never throws: a member without an invitation can sign in as well. Without a mail server nothing is sent. */
  async send(workspaceId: string, email: string): Promise<void> {
    const { PUBLIC_URL: address, MAIL_FROM: from } = this.environment;
    if (this.transport === null || address === undefined || !this.limits.isAllowed(email)) return;
    try {
      const refusal = await this.limits.count(workspaceId, [email]);
      if (refusal !== null) return this.logger.warn({ refusal, workspaceId }, 'invitation not sent');
      await this.transport.sendMail({
        from: from!,
        to: { name: '', address: email },
        subject: 'You may sign in to Workspace Scraping',
        text: `You were added to a workspace. Sign in with your account: ${address}/\n`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      this.logger.warn({ err: error, workspaceId }, 'invitation not sent');
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

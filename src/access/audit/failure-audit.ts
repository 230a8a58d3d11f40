import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { presentResponse } from '../../common/work-scope.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import { type FailedAuthentication, RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { AuditService } from './audit.service.js';

/** Failures of one address in a minute that are recorded: enough to show an attempt to guess keys. */
const PER_ADDRESS = 60;
/** Failures in a minute that a process records, so that strangers with many addresses cannot fill the log. */
const PER_PROCESS = 600;
const MINUTE_MS = 60_000;

/** Records failed authentications: wrong, ended or revoked keys, links, sessions and admin tokens. */
@Injectable()
export class FailureAudit implements OnModuleInit {
  private readonly logger = new Logger(FailureAudit.name);
  private minute = 0;
  private recorded = 0;

  constructor(
    private readonly audit: AuditService,
    private readonly limits: RequestLimits,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.limits.onFailure = (failure) => this.record(failure);
  }

  /** Never throws, because the request is refused anyway. Requests without any credential are not recorded. */
  private async record({ address, problem, count }: FailedAuthentication): Promise<void> {
    if (problem.code.startsWith('missing_') || count > PER_ADDRESS || !this.hasRoom()) return;
    const request = presentResponse()?.req as AuthenticatedRequest | undefined;
    await this.audit
      .record(
        {
          actor: 'anonymous',
          actorName: null,
          ip: address,
          action: 'authenticate',
          targetWorkspaceId: null,
          resource: { reason: problem.code },
          fields: [],
          requestId: request?.id ?? null,
        },
        problem.status,
      )
      .catch((error: unknown) => this.logger.error({ err: error }, 'failed authentication not audited'));
  }

  private hasRoom(): boolean {
    const minute = Math.floor(this.clock.now().getTime() / MINUTE_MS);
    if (minute !== this.minute) [this.minute, this.recorded] = [minute, 0];
    this.recorded += 1;
    return this.recorded <= PER_PROCESS;
  }
}

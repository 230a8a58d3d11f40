import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';

/** The people who are operators by their accounts at the identity provider. */
@Injectable()
export class Operators {
  constructor(
    @Inject(ENVIRONMENT)
    private readonly environment: Pick<Environment, 'ADMIN_TOKEN' | 'OIDC_ISSUER' | 'OIDC_ADMIN_EMAILS'>,
  ) {}

  /** Whether the environment makes this address that of an operator. */
  has(email: string): boolean {
    const { ADMIN_TOKEN, OIDC_ISSUER, OIDC_ADMIN_EMAILS } = this.environment;
    return ADMIN_TOKEN !== undefined && OIDC_ISSUER !== undefined && OIDC_ADMIN_EMAILS.includes(email);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { ServiceMailer } from '../../messages/channels/service-mailer.js';

/** Sends people an e-mail with their right to sign in. */
@Injectable()
export class Invitations {
  constructor(
    private readonly mailer: ServiceMailer,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
  ) {}

  /** Never throws: returns why none was sent, for the user; null if the mail server has it. A member needs none to sign in. */
  async send(workspaceId: string, email: string): Promise<string | null> {
    const { PUBLIC_URL: address } = this.environment;
    if (address === undefined) return 'the operator has not set PUBLIC_URL';
    return this.mailer.send(workspaceId, email, {
      subject: 'You may sign in to Workspace Scraping',
      text: `You were added to a workspace. Sign in with your account: ${address}/\n`,
    });
  }
}

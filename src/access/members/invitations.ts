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

  /** Sends none without `PUBLIC_URL`; a member without an invitation can sign in as well. */
  async send(workspaceId: string, email: string): Promise<void> {
    const { PUBLIC_URL: address } = this.environment;
    if (address === undefined) return;
    await this.mailer.send(workspaceId, email, {
      subject: 'You may sign in to Workspace Scraping',
      text: `You were added to a workspace. Sign in with your account: ${address}/\n`,
    });
  }
}

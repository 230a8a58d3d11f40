import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { API_PREFIX } from '../../http/request/paths.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';

/** Where a person ends a subscription: a page, and the address of the request that ends it at once (RFC 8058). */
export interface UnsubscribeLinks {
  page: string;
  oneClick: string;
}

/** A member, and the subject of a link to them. */
export interface LinkTarget {
  workspaceId: string;
  memberId: string;
  /** The alert whose subscription the link ends, or the nonce of the address that it confirms. */
  subject: string;
}

type Purpose = 'confirm address' | 'unsubscribe';

/**
 * The links in e-mails to members. Their tokens are encrypted and authenticated, so that only this service makes them,
 * and name the member, so that no sign-in is needed.
 */
@Injectable()
export class NotificationLinks {
  constructor(
    private readonly box: SecretBox,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
  ) {}

  /** The page that confirms an address; null without `PUBLIC_URL`. */
  confirmation(target: LinkTarget): string | null {
    const { PUBLIC_URL } = this.environment;
    return PUBLIC_URL === undefined
      ? null
      : `${PUBLIC_URL}/confirm-address#${this.seal(target, 'confirm address')}`;
  }

  /** Where a subscription ends; undefined without `PUBLIC_URL`. */
  unsubscribe(target: LinkTarget): UnsubscribeLinks | undefined {
    const { PUBLIC_URL } = this.environment;
    if (PUBLIC_URL === undefined) return undefined;
    const token = this.seal(target, 'unsubscribe');
    return {
      page: `${PUBLIC_URL}${unsubscribePage(token)}`,
      oneClick: `${PUBLIC_URL}/${API_PREFIX}/notification-links/unsubscribe?token=${token}`,
    };
  }

  /** The subject of a token; null unless this service made it for the purpose. */
  read(token: string, purpose: Purpose): LinkTarget | null {
    try {
      const [workspaceId, memberId, subject] = this.box.open(token, ownerOf(purpose)).split(' ');
      return { workspaceId: workspaceId!, memberId: memberId!, subject: subject! };
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }

  private seal({ workspaceId, memberId, subject }: LinkTarget, purpose: Purpose): string {
    return this.box.seal([workspaceId, memberId, subject].join(' '), ownerOf(purpose));
  }
}

/** The page of the dashboard that ends a subscription. The token is in no request for it, and so in no log. */
export const unsubscribePage = (token: string): string => `/unsubscribe#${token}`;

/** A link leads to its workspace, so it belongs to none. */
const ownerOf = (purpose: Purpose) => ({ workspaceId: '', purpose: `notification link: ${purpose}` });

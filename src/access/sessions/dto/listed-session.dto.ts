import { publicId } from '../../../common/ids.js';
import type { Caller } from '../../../http/request/request.js';
import type { ListedSession } from '../../api-keys/sessions.repository.js';

export class ListedSessionDto {
  id: string;
  /** The API key with whose permissions the browser is signed in, or which gave an assistant access. */
  key_id: string;
  key_prefix: string;
  /** Address of the browser when it signed in. */
  address: string | null;
  /** For an assistant, `Assistant: ` with its name and rights. */
  user_agent: string | null;
  created_at: Date;
  /** With a resolution of one minute. A session of a browser ends when it is not used for two hours. */
  last_used_at: Date;
  expires_at: Date;
  /** Whether the request was sent in this session. */
  is_current: boolean;

  static from(session: ListedSession, caller: Caller): ListedSessionDto {
    return {
      id: publicId('session', session.id),
      key_id: publicId('apiKey', session.apiKeyId),
      key_prefix: session.keyPrefix,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_used_at: session.lastUsedAt,
      expires_at: session.expiresAt,
      is_current: session.id === caller.session?.id,
    };
  }
}

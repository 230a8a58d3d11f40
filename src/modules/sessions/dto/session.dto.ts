import { IsString } from 'class-validator';
import { Length } from '../../../http/text-length.js';
import type { Scope } from '../../../http/scope.js';

export class CreateSessionDto {
  @IsString()
  @Length(1, 255)
  api_key: string;
}

export class RedeemSignInLinkDto {
  /** The `token` of a sign-in link. */
  @IsString()
  @Length(1, 255)
  token: string;
}

export class SignInLinkDto {
  /** Page that signs a browser in, below this service's address. Its fragment is the token, which browsers do not send. */
  path: string;
  token: string;
  expires_at: Date;
}

export class SessionDto {
  workspace_id: string;
  workspace_name: string;
  scopes: Scope[];
  key_prefix: string;
}

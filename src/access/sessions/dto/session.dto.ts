import { IsString } from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';
import type { Scope } from '../../../http/request/scope.js';

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
  /** Path of the page that signs a browser in, relative to the base URL of this service. The token is in its fragment, which browsers do not send. */
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

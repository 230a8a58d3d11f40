import { IsString } from 'class-validator';
import { Length } from '../../http/parameters/text-length.js';

export class CreateAdminSessionDto {
  @IsString()
  @Length(1, 1_000)
  admin_token: string;
}

export class AdminSessionDto {
  /** Null if the request carries the token itself. */
  expires_at: Date | null;
}

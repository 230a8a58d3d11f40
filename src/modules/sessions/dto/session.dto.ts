import { IsString, Length } from 'class-validator';
import type { Scope } from '../../../http/scope.js';

export class CreateSessionDto {
  @IsString()
  @Length(1, 255)
  api_key: string;
}

export class SessionDto {
  workspace_id: string;
  workspace_name: string;
  scopes: Scope[];
  key_prefix: string;
}

import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
} from 'class-validator';
import { publicId } from '../../../common/ids.js';
import type { ApiKey } from '../api-key.entity.js';
import { type Scope, SCOPES } from '../../../http/scope.js';

export class CreateApiKeyDto {
  /** What the key is for. */
  @IsString()
  @Length(1, 255)
  name: string;

  /** What the key may do; each scope contains those before it in the order read, write, admin. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[] = ['read'];
}

export class ApiKeyDto {
  id: string;
  name: string;
  /** Leading part of the key; the rest is not stored. */
  key_prefix: string;
  scopes: Scope[];
  is_active: boolean;
  last_used_at: Date | null;
  created_at: Date;

  static from(key: ApiKey): ApiKeyDto {
    return {
      id: publicId('apiKey', key.id),
      name: key.name,
      key_prefix: key.keyPrefix,
      scopes: key.scopes,
      is_active: key.isActive,
      last_used_at: key.lastUsedAt,
      created_at: key.createdAt,
    };
  }
}

export class CreatedApiKeyDto extends ApiKeyDto {
  /** The full key; no other response shows it. */
  key: string;
}

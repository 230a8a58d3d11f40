import { ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';
import { publicId } from '../../../common/ids.js';
import type { ApiKey } from '../api-key.entity.js';
import { EachOnce, IsInstant } from '../../../http/parameters/query-transforms.js';
import { type Scope, SCOPES } from '../../../http/request/scope.js';

/** Default time for which the old key stays valid when a key is rolled: one day. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

export class CreateApiKeyDto {
  /** Purpose of the key. */
  @IsString()
  @Length(1, 255)
  name: string;

  /** Permissions of the key. Each scope includes the previous ones, in the order read, write, admin. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @EachOnce()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[] = ['read'];

  /** Expiry time, ISO 8601 with a zone, in the future. If omitted, the key does not expire. */
  @IsOptional()
  @IsInstant()
  expires_at?: string;
}

export class RollApiKeyDto {
  /** How long the old key stays valid, up to 30 days; 0 ends it immediately. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(2_592_000)
  overlap_seconds?: number = DEFAULT_OVERLAP_SECONDS;

  /** Expiry time of the new key, ISO 8601 with a zone, in the future. If omitted, the key does not expire. */
  @IsOptional()
  @IsInstant()
  expires_at?: string;
}

/** Formats of a key record: only the fields of the interface, or also the expiry time. */
const API_KEY_VIEWS = ['list', 'full'] as const;

export class ViewApiKeysDto {
  /** `full` adds `expires_at` to the record. */
  @IsOptional()
  @IsIn(API_KEY_VIEWS)
  view?: (typeof API_KEY_VIEWS)[number] = 'list';
}

export class ApiKeyDto {
  id: string;
  name: string;
  /** Leading part of the key; the rest is not stored. */
  key_prefix: string;
  scopes: Scope[];
  /** False if the key has been revoked or has expired. */
  is_active: boolean;
  last_used_at: Date | null;
  created_at: Date;
  /** Null for a key that does not expire. Only with `view=full`. */
  expires_at?: Date | null;

  static from(key: ApiKey, view: (typeof API_KEY_VIEWS)[number] = 'list'): ApiKeyDto {
    return {
      id: publicId('apiKey', key.id),
      name: key.name,
      key_prefix: key.keyPrefix,
      scopes: key.scopes,
      is_active: key.isActive,
      last_used_at: key.lastUsedAt,
      created_at: key.createdAt,
      ...(view === 'full' && { expires_at: key.expiresAt }),
    };
  }
}

export class CreatedApiKeyDto extends ApiKeyDto {
  /** The full key. No other response shows it. */
  key: string;
}

import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { CursorPageDto } from '../../../http/pages/page.dto.js';
import { InstantFromQuery } from '../../../http/parameters/query-transforms.js';
import { MaxLength } from '../../../http/parameters/text-length.js';
import { AUDIT_ACTORS, type AuditActor, type AuditEntry } from '../audit-entry.entity.js';

const WORKSPACE_ID = /^(ws_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class ListAuditDto extends CursorPageDto {
  /** Only entries of this kind of credential. */
  @IsOptional()
  @IsIn(AUDIT_ACTORS)
  actor?: AuditActor;

  /** Only this `action`. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  action?: string;

  /** Recorded at or after this time. */
  @IsOptional()
  @InstantFromQuery()
  from?: string;

  /** Recorded before this time. */
  @IsOptional()
  @InstantFromQuery()
  to?: string;

  /** Part of a name, address, id, action, field or value, in any case. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;
}

export class ListAllAuditDto extends ListAuditDto {
  /** Only changes to this workspace. */
  @IsOptional()
  @Matches(WORKSPACE_ID, { message: 'workspace_id must be a uuid' })
  workspace_id?: string;
}

/** One change, bulk read or use of a credential, through the API, the admin API or the command line. */
export class AuditEntryDto {
  id: string;
  created_at: Date;
  actor: AuditActor;
  /** The key's prefix, or `user@host` of a command; null for the admin token and for unidentified clients. */
  actor_name: string | null;
  /** IP address of the request; null for a command. */
  ip: string | null;
  /** The `operationId` in this document, the command, or `authenticate` for a failed authentication. */
  action: string;
  workspace_id: string | null;
  /** Ids of the changed resources, by path parameter name; `id` is the id of a created resource, `reason` the code of a failed authentication. */
  resource: Record<string, string>;
  /** Names of the fields in the request. */
  fields: string[];
  /** HTTP status of the response; for a command, 0 (succeeded) or 1 (failed). Null if the process ended before the outcome was known. */
  status: number | null;
  request_id: string | null;
  /** Position in the chain of hashes, from 1; null for the first seconds, and while the outcome is unknown. */
  sequence: number | null;
  /** SHA-256 in hexadecimal digits of this entry and of the hash of the entry before it; null without `sequence`. */
  hash: string | null;

  static from(entry: Omit<AuditEntry, 'details'>): AuditEntryDto {
    return {
      id: entry.id,
      created_at: entry.recordedAt,
      actor: entry.actor,
      actor_name: entry.actorName,
      ip: entry.ip,
      action: entry.action,
      workspace_id: entry.targetWorkspaceId && publicId('workspace', entry.targetWorkspaceId),
      resource: entry.resource,
      fields: entry.fields,
      status: entry.status,
      request_id: entry.requestId,
      sequence: entry.sequence === null ? null : Number(entry.sequence),
      hash: entry.hash?.toString('hex') ?? null,
    };
  }
}

export class AuditChangeDto {
  /** As in the request, with a dot for a field of a field: `config.timezone`. */
  field: string;
  /** The former value as text, lists with commas, at most 1,000 characters; null for none. */
  before: string | null;
  after: string | null;
}

export class ListedAuditEntryDto extends AuditEntryDto {
  /** Name of the API key; null for other actors and for a key that is deleted. */
  key_name: string | null;
  /** Name of the record at that time: of a job or schedule its target, of a member the address, of a webhook the host. */
  record_name: string | null;
  /** Changed settings of an alert, schedule or webhook, without secrets and addresses of destinations. */
  changes: AuditChangeDto[];
}

export class AuditPageDto {
  entries: ListedAuditEntryDto[];
  /** The position after the last item. */
  cursor: string;
  has_more: boolean;
}

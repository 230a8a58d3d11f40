import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import type { AuditFilter, ListedEntry } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AuditEntryDto, type AuditPageDto, type ListAuditDto } from './dto/audit.dto.js';

/** Lists the audit log with the names of keys and records, for operators and for owners of a workspace. */
@Injectable()
export class AuditListService {
  constructor(
    private readonly audit: AuditService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** Newest first. Throws 400 `invalid_cursor`. */
  async list(
    { workspaceId, forOwner = false }: Pick<AuditFilter, 'workspaceId' | 'forOwner'>,
    { limit = DEFAULT_PAGE_SIZE, cursor, ...filters }: ListAuditDto,
  ): Promise<AuditPageDto> {
    const actorNames = await this.keysNamed(workspaceId, filters.q);
    const page = await this.audit.list(
      { ...filters, workspaceId, forOwner, actorNames },
      { limit, ...(cursor !== undefined && { cursor }) },
    );
    const nameOf = await this.namesOf(page.entries);
    return {
      entries: page.entries.map((entry) => ({
        ...AuditEntryDto.from(entry),
        key_name: nameOf.get(keyOf(entry.targetWorkspaceId, entry.actorName)) ?? null,
        record_name: entry.details?.name ?? null,
        changes: entry.details?.changes ?? [],
      })),
      cursor: page.cursor,
      has_more: page.hasMore,
    };
  }

  /** The beginnings of the keys of a workspace whose names contain a text. */
  private async keysNamed(workspaceId: string | undefined, q: string | undefined): Promise<string[]> {
    if (workspaceId === undefined || q === undefined) return [];
    const wanted = q.toLowerCase();
    return (await this.apiKeys.list(workspaceId))
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ keyPrefix }) => keyPrefix);
  }

  /** The names of the keys that made these entries. */
  private async namesOf(entries: readonly ListedEntry[]): Promise<Map<string, string>> {
    const keys = entries.flatMap(({ actor, actorName, targetWorkspaceId }) =>
      actor === 'api_key' && actorName !== null && targetWorkspaceId !== null
        ? [{ workspaceId: targetWorkspaceId, keyPrefix: actorName }]
        : [],
    );
    const named = keys.length === 0 ? [] : await this.apiKeys.names(keys);
    return new Map(named.map(({ workspaceId, keyPrefix, name }) => [keyOf(workspaceId, keyPrefix), name]));
  }
}

const keyOf = (workspaceId: string | null, keyPrefix: string | null): string => `${workspaceId} ${keyPrefix}`;

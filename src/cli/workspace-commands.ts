import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { onOneLine } from '../common/json-line.js';
import { hasMoreCharacters } from '../common/strings.js';
import { parseId } from '../common/ids.js';
import { type Scope, SCOPES } from '../http/request/scope.js';
import { ApiKeyDto } from '../access/api-keys/dto/api-key.dto.js';
import {
  MAX_RETENTION_DAYS,
  RETAINED_KINDS,
  type RetainedKind,
} from '../tenants/workspaces/workspace.entity.js';
import { audited } from './audited.js';
import type { OperatorTools } from './operator-context.js';
import { UsageError } from './run-command.js';

const LIST_LIMIT = 200;
const MAX_NAME_LENGTH = 255;

/** Command options as given. */
export interface CommandOptions extends Partial<Record<RetainedKind, string>> {
  /** Arguments after the command. */
  id?: string;
  name?: string;
  workspace?: string;
  q?: string;
  to?: string;
  scopes?: string;
  revoke?: string;
  author?: string;
  source?: string;
  post?: string;
  comment?: string;
  reason?: string;
  'no-suppress'?: boolean;
  unbind?: string;
}

/** Output of a command: an object with `--json`, otherwise lines. */
export interface Printed {
  json: object;
  lines: string[];
}

/** A command. */
export type Command = (tools: OperatorTools, options: CommandOptions) => Promise<Printed>;

/** The commands by name. */
export const COMMANDS: Record<string, Command> = {
  create: async (tools, options) => {
    const name = nameIn(options);
    const { workspaceId, apiKey } = await audited(
      tools.audit,
      { action: 'workspace create', fields: ['name'] },
      () => tools.workspaces.create(name),
      (created) => ({ targetWorkspaceId: created.workspaceId }),
    );
    return {
      json: { workspace_id: workspaceId, api_key: apiKey },
      lines: [`Workspace ${workspaceId}`, `API key   ${apiKey}   (shown only once)`],
    };
  },

  list: async ({ admin }, { q, id }) => {
    if (id !== undefined) throw new UsageError('list takes the search text as --q TEXT');
    const workspaces = [];
    for (let cursor = '', hasMore = true; hasMore;) {
      const page = await admin.list({ ...(q !== undefined && { q }), limit: LIST_LIMIT, cursor });
      workspaces.push(...page.workspaces);
      ({ cursor, has_more: hasMore } = page);
    }
    return {
      json: { workspaces, total: workspaces.length },
      lines: workspaces.map(({ id, status, name }) => `${id}  ${status.padEnd(9)}  ${name}`),
    };
  },

  show: async ({ admin, apiKeys }, options) => {
    const id = workspaceIn(options);
    const workspace = await admin.get(id);
    const keys = (await apiKeys.list(id)).map((key) => ApiKeyDto.from(key));
    return {
      json: { ...workspace, api_keys: keys },
      lines: [
        `Workspace      ${workspace.id}`,
        `Name           ${workspace.name}`,
        `Status         ${workspace.status}`,
        ...(workspace.deletion === null
          ? []
          : [`Deleted        ${workspace.deletion.rows} rows since ${workspace.deletion.requested_at}`]),
        `Created        ${workspace.created_at.toISOString()}`,
        `Last activity  ${workspace.last_activity_at?.toISOString() ?? 'none'}`,
        ...Object.entries(workspace.usage).map(([name, value]) => `${name.padEnd(13)}  ${value}`),
        ...Object.entries(workspace.quotas).map(([name, value]) => `quota ${name}: ${value}`),
        ...retentionLines(workspace.retention_days),
        ...keys.map(
          (key) => `${key.id}  ${key.is_active ? 'active' : 'revoked'}  ${key.scopes.join(',')}  ${key.name}`,
        ),
      ],
    };
  },

  suspend: (tools, options) => setStatus(tools, options, 'suspended'),
  resume: (tools, options) => setStatus(tools, options, 'active'),

  retention: async (tools, options) => {
    const id = workspaceIn(options);
    const retentionDays = daysIn(options);
    const workspace = await audited(
      tools.audit,
      { action: 'workspace retention', targetWorkspaceId: id, fields: ['retention_days'] },
      () => tools.admin.update(id, { retentionDays }),
    );
    const lines = retentionLines(workspace.retention_days);
    return { json: workspace, lines: lines.length > 0 ? lines : ['No data is deleted by age'] };
  },

  delete: async (tools, options) => {
    const id = workspaceIn(options);
    const workspace = await audited(tools.audit, { action: 'workspace delete', targetWorkspaceId: id }, () =>
      tools.admin.delete(id),
    );
    return {
      json: workspace,
      lines: [
        `Workspace ${workspace.id} is being deleted by the workers of the service; \`show\` reports the progress`,
      ],
    };
  },

  export: async (tools, options) => {
    const id = workspaceIn(options);
    const { to } = options;
    if (to === undefined) throw new UsageError('export requires --to FOLDER');
    await tools.workspaces.get(id);
    const rows = await audited(tools.audit, { action: 'workspace export', targetWorkspaceId: id }, () =>
      exportRows(tools, id, to),
    );
    return {
      json: { workspace_id: id, folder: to, rows },
      lines: Object.entries(rows).map(([table, count]) => `${join(to, `${table}.ndjson`)}  ${count} rows`),
    };
  },

  key: async (tools, options) => {
    const id = workspaceIn(options);
    if (options.revoke !== undefined) return revokeKey(tools, id, options.revoke);
    const scopes = scopesIn(options);
    const name = options.name === undefined ? 'Recovery key' : nameIn(options);
    const { record, key } = await audited(
      tools.audit,
      { action: 'workspace key', targetWorkspaceId: id, fields: ['name', 'scopes'] },
      () => tools.workspaces.createKey(id, { name, scopes }),
      (created) => ({ resource: { id: created.record.id } }),
    );
    return {
      json: { workspace_id: id, api_key: key, ...ApiKeyDto.from(record), key },
      lines: [`API key ${key}   (shown only once)`],
    };
  },
};

async function setStatus(
  tools: OperatorTools,
  options: CommandOptions,
  status: 'active' | 'suspended',
): Promise<Printed> {
  const id = workspaceIn(options);
  const action = status === 'active' ? 'resume' : 'suspend';
  const workspace = await audited(
    tools.audit,
    { action: `workspace ${action}`, targetWorkspaceId: id, fields: ['status'] },
    () => tools.admin.update(id, { status }),
  );
  return { json: workspace, lines: [`Workspace ${workspace.id} is ${workspace.status}`] };
}

async function revokeKey(tools: OperatorTools, id: string, given: string): Promise<Printed> {
  const keyId = parseId('apiKey', given);
  if (keyId === null) throw new UsageError('--revoke requires the id of a key');
  const change = { action: 'workspace key revoke', targetWorkspaceId: id, resource: { key_id: keyId } };
  await audited(tools.audit, change, () => tools.apiKeys.revoke(id, keyId));
  return { json: { workspace_id: id, revoked: given }, lines: [`API key ${given} is revoked`] };
}

/** Writes the rows of each table to one NDJSON file, all from the same snapshot. */
async function exportRows(
  { rows, transactions }: OperatorTools,
  id: string,
  folder: string,
): Promise<Record<string, number>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const counts: Record<string, number> = {};
  await transactions.run(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await tx.query('SET LOCAL statement_timeout = 0');
    for (const name of rows.exported) {
      counts[name] = 0;
      const lines = async function* (): AsyncGenerator<string> {
        for await (const row of rows.rows(id, name, tx)) {
          counts[name]! += 1;
          yield `${onOneLine(JSON.stringify(row))}\n`;
        }
      };
      await pipeline(
        Readable.from(lines()),
        createWriteStream(join(folder, `${name}.ndjson`), { mode: 0o600 }),
      );
    }
  });
  return counts;
}

/** The workspace that the command names. Throws {@link UsageError}. */
export function workspaceIn({ id, workspace }: CommandOptions): string {
  const parsed = parseId('workspace', id ?? workspace ?? '');
  if (parsed === null) throw new UsageError('the command requires the id of a workspace');
  return parsed;
}

/** Retention in days by kind, as given in the options; 0 means no deletion. */
function daysIn(options: CommandOptions): Partial<Record<RetainedKind, number>> {
  const given = RETAINED_KINDS.filter((kind) => options[kind] !== undefined);
  if (given.length === 0) throw new UsageError(`retention requires one of --${RETAINED_KINDS.join(', --')}`);
  return Object.fromEntries(
    given.map((kind) => {
      const days = /^\d{1,5}$/.test(options[kind]!) ? Number(options[kind]) : Infinity;
      if (days > MAX_RETENTION_DAYS)
        throw new UsageError(`--${kind} requires a number of days from 0 to ${MAX_RETENTION_DAYS}`);
      return [kind, days];
    }),
  );
}

const retentionLines = (days: Partial<Record<RetainedKind, number>>): string[] =>
  Object.entries(days).map(([kind, value]) => `retention ${kind}: ${value} days`);

function nameIn({ name }: CommandOptions): string {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '' || hasMoreCharacters(trimmed, MAX_NAME_LENGTH))
    throw new UsageError(`--name requires 1 to ${MAX_NAME_LENGTH} characters`);
  return trimmed;
}

function scopesIn({ scopes = 'admin' }: CommandOptions): Scope[] {
  const given = scopes.split(',').map((scope) => SCOPES.find((known) => known === scope.trim()));
  if (given.length === 0 || given.includes(undefined))
    throw new UsageError(`--scopes requires a comma-separated list of ${SCOPES.join(', ')}`);
  return [...new Set(given)] as Scope[];
}

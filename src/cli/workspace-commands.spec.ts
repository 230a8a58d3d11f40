import type { OperatorTools } from './operator-context.js';
import { MAX_RETENTION_DAYS } from '../tenants/workspaces/workspace.entity.js';
import { UsageError } from './run-command.js';
import { OPERATOR_COMMANDS } from './operator-commands.js';
import { COMMANDS, type CommandOptions } from './workspace-commands.js';

const ID = '0b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab';
const KEY = '1b4c2d6e-1f2a-4b3c-8d4e-5f6a7b8c9dab';

/** Calls of the service, with the actions that were recorded around them. */
let calls: unknown[][];
const note =
  (name: string, answer: unknown = {}) =>
  (...given: unknown[]) => {
    calls.push([name, ...given]);
    return Promise.resolve(answer);
  };
const workspace = { id: `ws_${ID}`, status: 'active', retention_days: {} };
const record = { id: KEY, scopes: ['read'] };
const tools = {
  audit: {
    around: ({ action, targetWorkspaceId }: Record<string, unknown>, work: () => unknown) => {
      calls.push([action, targetWorkspaceId]);
      return work();
    },
  },
  admin: {
    update: note('update', workspace),
    delete: note('delete', workspace),
    list: ({ cursor, ...query }: { cursor: string }) => {
      calls.push(['list', query, cursor]);
      return Promise.resolve({
        workspaces: [{ ...workspace, name: 'x' }],
        cursor: 'next',
        has_more: cursor === '',
      });
    },
  },
  workspaces: {
    create: note('create', { workspaceId: ID, apiKey: 'key' }),
    createKey: note('createKey', { record, key: 'key' }),
  },
  apiKeys: { revoke: note('revoke') },
  operators: { list: note('list', []), unbind: note('unbind') },
} as unknown as OperatorTools;

const run = (name: string, options: CommandOptions) =>
  ({ ...COMMANDS, ...OPERATOR_COMMANDS })[name]!(tools, options);
beforeEach(() => void (calls = []));
const shown = ([name, ...given]: unknown[]): string =>
  [name, ...given.map((one) => (one === ID ? 'ID' : one === KEY ? 'KEY' : JSON.stringify(one)))].join(' ');

describe('an operator command', () => {
  it.each<[string, CommandOptions, ...calls: string[]]>([
    ['create', { name: ' Mine ' }, 'workspace create null', 'create "Mine"'],
    ['suspend', { id: `ws_${ID}` }, 'workspace suspend ID', 'update ID {"status":"suspended"}'],
    ['resume', { workspace: ID }, 'workspace resume ID', 'update ID {"status":"active"}'],
    ['delete', { id: ID }, 'workspace delete ID', 'delete ID'],
    [
      'retention',
      { id: ID, posts: '0', jobs: '30' },
      'workspace retention ID',
      'update ID {"retentionDays":{"posts":0,"jobs":30}}',
    ],
    ['key', { id: ID }, 'workspace key ID', 'createKey ID {"name":"Recovery key","scopes":["admin"]}'],
    [
      'key',
      { id: ID, name: 'Mine', scopes: 'read, write,read' },
      'workspace key ID',
      'createKey ID {"name":"Mine","scopes":["read","write"]}',
    ],
    ['key', { id: ID, revoke: `key_${KEY}` }, 'workspace key revoke ID', 'revoke ID KEY'],
    ['operators', {}, 'list'],
    ['operators', { unbind: 'Ann@Example.org' }, 'operator unbind null', 'unbind "ann@example.org"'],
    ['list', { q: 'x' }, 'list {"q":"x","limit":200} ""', 'list {"q":"x","limit":200} "next"'],
  ])('%s with %j', async (name, options, ...expected) => {
    await run(name, options);
    expect(calls.map(shown)).toEqual(expected);
  });

  it.each<[string, CommandOptions]>([
    ['create', {}],
    ['create', { name: '  ' }],
    ['create', { name: 'x'.repeat(256) }],
    ['show', {}],
    ['show', { id: 'x' }],
    ['list', { id: 'x' }],
    ['operators', { id: 'ann@example.org' }],
    ['export', { id: ID }],
    ['retention', { id: ID }],
    ['retention', { id: ID, posts: '-1' }],
    ['retention', { id: ID, posts: '1.5' }],
    ['retention', { id: ID, posts: '' }],
    ['retention', { id: ID, posts: '999999' }],
    ['key', { id: ID, scopes: 'read,root' }],
    ['key', { id: ID, scopes: '' }],
    ['key', { id: ID, name: '' }],
    ['key', { id: ID, revoke: `ws_${KEY}` }],
  ])('%s with %j changes nothing and explains its options', async (name, options) => {
    await expect(run(name, options)).rejects.toBeInstanceOf(UsageError);
    expect(calls).toEqual([]);
  });

  it('create accepts a name of 255 characters', async () => {
    await run('create', { name: '😀'.repeat(255) });
    expect(calls).toHaveLength(2);
  });

  it('retention accepts as many days as the admin API', async () => {
    await run('retention', { id: ID, posts: String(MAX_RETENTION_DAYS) });
    expect(calls).toHaveLength(2);
    await expect(run('retention', { id: ID, posts: String(MAX_RETENTION_DAYS + 1) })).rejects.toThrow(
      `--posts requires a number of days from 0 to ${MAX_RETENTION_DAYS}`,
    );
  });
});

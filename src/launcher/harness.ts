import { mkdtemp, chmod, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../config/environment.js';
import { createdWorkspace, type CreatedWorkspace } from './service-orders.js';
import type { RunningService } from './service.js';
import { DATA_DIR_MODE } from './postgres-user.js';

/** File in `DATA_DIR` that contains the workspace and the key that `npm start -- --json` prints. */
export const WORKSPACE_FILE = 'harness.json';
/** The time at which the generated content ends, fixed so that two starts produce the same posts. */
const EPHEMERAL_CLOCK = '2026-11-01T00:00:00Z';
const CHECK_TIMEOUT_MS = 5_000;

/** The line that `npm start -- --json` prints. A field is null when this machine does not run that part. */
export interface StartLine {
  base_url: string | null;
  docs_url: string | null;
  workspace_id: string | null;
  api_key: string | null;
  admin_token: string | null;
  platform_url: string | null;
  /** Process to send SIGTERM to. */
  pid: number;
}

/** Output of `npm start -- --json` about a running service. */
export function startLine(service: RunningService, workspace: CreatedWorkspace | null): StartLine {
  return {
    base_url: service.apiUrl,
    docs_url: service.apiUrl === null ? null : `${service.apiUrl}/docs`,
    workspace_id: workspace?.workspaceId ?? null,
    api_key: workspace?.apiKey ?? null,
    admin_token: service.adminToken,
    platform_url: service.sandboxUrl,
    pid: process.pid,
  };
}

/**
 * The workspace for programs that start this service with `--json`. Its key is kept in `DATA_DIR/harness.json`,
 * readable only by this user, because a key cannot be read from the database. A workspace is created when there is no
 * valid key.
 */
export async function harnessWorkspace(
  service: RunningService,
  dataDir: string,
): Promise<CreatedWorkspace | null> {
  if (service.apiUrl === null) return null;
  const file = join(dataDir, WORKSPACE_FILE);
  const stored = parse(await readFile(file, 'utf8').catch(() => ''));
  if (stored !== null && (await isValid(service.apiUrl, stored))) return stored;
  const created = await service.createWorkspace('harness');
  await writeFile(file, JSON.stringify(created), { mode: 0o600 });
  return created;
}

/**
 * Variables for `npm start -- --ephemeral`: a new temporary `DATA_DIR`, any free port unless one was given, a synthetic
 * platform whose clock is frozen, and loopback, where the receivers of tests listen, as an allowed destination. Throws
 * {@link ConfigurationError} when servers were given.
 */
export async function ephemeralVariables(given: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'MEDIA_S3_BUCKET'])
    if (given[name])
      throw new ConfigurationError(`--ephemeral keeps all data in a temporary folder; unset ${name}`);
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'workspace-scraping-'));
  await chmod(folder, DATA_DIR_MODE);
  return {
    ...given,
    DATA_DIR: folder,
    MEDIA_DIR: undefined,
    PORT: given.PORT || '0',
    SANDBOX_CLOCK: given.SANDBOX_CLOCK || EPHEMERAL_CLOCK,
    OUTBOUND_ALLOWED_CIDRS: given.OUTBOUND_ALLOWED_CIDRS || '127.0.0.0/8,::1/128',
  };
}

function parse(text: string): CreatedWorkspace | null {
  try {
    return createdWorkspace.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether the database contains the key. A key refused for any other reason, e.g. a suspended workspace, is kept. */
async function isValid(apiUrl: string, { workspaceId, apiKey }: CreatedWorkspace): Promise<boolean> {
  const response = await fetch(`${apiUrl}/api/v1/workspaces/${workspaceId}/usage`, {
    headers: { 'X-API-Key': apiKey },
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status !== 401;
}

import { hostname, userInfo } from 'node:os';
import type { AuditOutcome } from '../modules/audit/audit.repository.js';
import type { AuditService } from '../modules/audit/audit.service.js';

/** What a command is about to change. */
export interface CommandChange {
  /** The command, e.g. `workspace delete`. */
  action: string;
  targetWorkspaceId?: string;
  /** Names of the options that were given. */
  fields?: string[];
  resource?: Record<string, string>;
}

/** Makes a change under an entry of the audit log that names the user of this machine. */
export function audited<T>(
  audit: AuditService,
  { action, targetWorkspaceId, fields, resource }: CommandChange,
  work: () => Promise<T>,
  resultOf?: (result: T) => Partial<AuditOutcome>,
): Promise<T> {
  return audit.around(
    {
      actor: 'command_line',
      actorName: `${userName()}@${hostname()}`,
      ip: null,
      requestId: null,
      targetWorkspaceId: targetWorkspaceId ?? null,
      resource: resource ?? {},
      fields: fields ?? [],
      action,
    },
    work,
    resultOf,
  );
}

/** The user of this process; its number in a container whose user has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

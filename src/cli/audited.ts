import { hostname, userInfo } from 'node:os';
import type { AuditOutcome } from '../access/audit/audit.repository.js';
import type { AuditService } from '../access/audit/audit.service.js';

/** The change that a command is about to make. */
export interface CommandChange {
  /** The command, e.g. `workspace delete`. */
  action: string;
  targetWorkspaceId?: string;
  /** Names of the options that were given. */
  fields?: string[];
  resource?: Record<string, string>;
}

/** Makes a change and records it in the audit log with the user of this machine as the actor. */
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

/** The name of this process's user, or its numeric id in a container whose user has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

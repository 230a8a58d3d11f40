import { KINDS } from '../../api/kinds.ts';
import { oneOf } from '../../choices.ts';

/** What the audit log shows, as in the address of its page. */
export interface AuditState {
  /** The id of a workspace. */
  workspace?: string | undefined;
  actor?: (typeof KINDS.lists.auditActors)[number] | undefined;
  action?: string | undefined;
}

/** Reads the valid parts of an address and ignores the rest. */
export function readAuditState({ workspace, actor, action }: Record<string, unknown>): AuditState {
  const known = oneOf(KINDS.lists.auditActors, actor);
  return {
    ...(typeof workspace === 'string' && { workspace }),
    ...(known !== undefined && { actor: known }),
    ...(typeof action === 'string' && { action }),
  };
}

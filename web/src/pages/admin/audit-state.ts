/** Who can have made a change. */
export const ACTORS = ['api_key', 'admin', 'command_line', 'anonymous'] as const;

/** What the audit log shows, as in the address of its page. */
export interface AuditState {
  /** The id of a workspace. */
  workspace?: string | undefined;
  actor?: (typeof ACTORS)[number] | undefined;
  action?: string | undefined;
}

/** Reads the valid parts of an address and ignores the rest. */
export function readAuditState({ workspace, actor, action }: Record<string, unknown>): AuditState {
  const known = ACTORS.find((one) => one === actor);
  return {
    ...(typeof workspace === 'string' && { workspace }),
    ...(known !== undefined && { actor: known }),
    ...(typeof action === 'string' && { action }),
  };
}

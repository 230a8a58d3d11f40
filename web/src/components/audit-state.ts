import { KINDS } from '../api/kinds.ts';
import { oneOf } from '../choices.ts';

/** What the audit log, or the history of a workspace, shows, as in the address of its page. */
export interface AuditState {
  /** The id of a workspace; for operators. */
  workspace?: string | undefined;
  actor?: (typeof KINDS.lists.auditActors)[number] | undefined;
  action?: string | undefined;
  q?: string | undefined;
  /** First and last day of a period. */
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads the valid parts of an address and ignores the rest. */
export function readAuditState(given: Record<string, unknown>): AuditState {
  const actor = oneOf(KINDS.lists.auditActors, given.actor);
  const texts = Object.fromEntries(
    ['workspace', 'action', 'q', 'from', 'to']
      .map((name) => [name, given[name]] as const)
      .filter(
        ([name, value]) =>
          typeof value === 'string' &&
          value !== '' &&
          (!['from', 'to'].includes(name) || (DAY.test(value) && !Number.isNaN(Date.parse(value)))),
      ),
  );
  return { ...texts, ...(actor !== undefined && { actor }) };
}

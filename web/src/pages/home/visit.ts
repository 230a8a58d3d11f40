/** Pause after which the next opening of the dashboard counts as another visit. */
const VISIT_GAP_MS = 30 * 60_000;

/** What the browser stores about visits, as times in milliseconds since 1970. */
export interface Visits {
  /** When the dashboard was last used. */
  seen: number;
  /** When the visit before the current one ended; null on the first visit. */
  before: number | null;
}

/** The visits after the dashboard was used at `now`. */
export function nextVisits(stored: Visits | null, now: number): Visits {
  if (stored === null) return { seen: now, before: null };
  return { seen: now, before: now - stored.seen > VISIT_GAP_MS ? stored.seen : stored.before };
}

/** Reads stored visits; null when there are none or they are damaged. */
export function parseVisits(text: string | null): Visits | null {
  const [seen, before] = (text ?? '').split(' ').map(Number);
  if (seen === undefined || !(seen > 0)) return null;
  return { seen, before: before !== undefined && before > 0 ? before : null };
}

/** Records that a workspace's dashboard is used now, and returns when the previous visit ended. */
export function recordVisit(workspace: string): Date | null {
  const name = `visits ${workspace}`;
  const { seen, before } = nextVisits(parseVisits(localStorage.getItem(name)), Date.now());
  localStorage.setItem(name, `${seen} ${before ?? 0}`);
  return before === null ? null : new Date(before);
}

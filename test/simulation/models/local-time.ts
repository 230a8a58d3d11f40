const MINUTE_MS = 60_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const DAY_MS = 1_440 * MINUTE_MS;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/**
 * What the clocks of a zone show at an instant, as if it were UTC, in milliseconds. Clocks change only at full and half
 * hours of UTC.
 */
export function wallAt(zone: string, instant: number): number {
  const slot = Math.floor(instant / HALF_HOUR_MS) * HALF_HOUR_MS;
  const key = `${zone} ${slot}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const format =
      formats.get(zone) ??
      new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
    offset = Date.parse(`${format.format(slot).replace(' ', 'T')}Z`) - slot;
    offsets.set(key, offset);
  }
  return instant + offset;
}

/** Minutes since midnight of a local time, `HH:MM` or as {@link wallAt} returns it. */
export const minuteOfDay = (local: string | number): number =>
  typeof local === 'string'
    ? Number(local.slice(0, 2)) * 60 + Number(local.slice(3))
    : Math.floor((local % DAY_MS) / MINUTE_MS);

/**
 * The instants in (from, to] at which a cron expression with named hours is due: a time that clocks skip when they have
 * skipped it, and one that they repeat the first time.
 */
export function dueInstants(cron: string, zone: string, from: number, to: number): number[] {
  const [minutes, hours, , , weekdays] = cron.split(' ') as [string, string, string, string, string];
  const isDue = (wall: number): boolean => {
    const date = new Date(wall);
    const [hour, weekday] = [date.getUTCHours(), date.getUTCDay()];
    const step = /^\*\/(\d+)$/.exec(hours)?.[1];
    const isHour =
      step === undefined ? hours.split(',').map(Number).includes(hour) : hour % Number(step) === 0;
    const isDay = weekdays === '*' || (weekday >= 1 && weekday <= 5);
    return minutes.split(',').map(Number).includes(date.getUTCMinutes()) && isHour && isDay;
  };
  const found: number[] = [];
  const first = Math.floor(from / MINUTE_MS) * MINUTE_MS - DAY_MS;
  let shown = wallAt(zone, first);
  for (let instant = first + MINUTE_MS; instant <= to; instant += MINUTE_MS) {
    const wall = wallAt(zone, instant);
    let due = false;
    for (; shown < wall; shown += MINUTE_MS) due ||= isDue(shown + MINUTE_MS);
    if (due && instant > from) found.push(instant);
  }
  return found;
}

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Names that `Intl` accepts but the IANA database lacks: ICU's own abbreviations, in which `BST` is Dhaka's time and
 * `IST` is Kolkata's, and names that IANA dropped. Postgres rejects them or maps them to other zones.
 */
const NAMES_OF_ICU = new Set(
  (
    'act aet agt art ast bet bst cat cnt cst ctt eat ect iet ist jst mit net nst plt pnt prt pst sst vst ' +
    'canada/east-saskatchewan us/pacific-new'
  ).split(' '),
);

/** Whether the name is a zone of the IANA time zone database. Bare offsets such as `+01:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^(?!systemv\/)[a-z][a-z0-9_+/-]*$/i.test(name) || NAMES_OF_ICU.has(name.toLowerCase())) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The zone's offset from UTC at an instant, in milliseconds; positive when its clocks are ahead. Throws a RangeError
 * for an unknown zone.
 */
export function offsetAt(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) part[type] = Number(value);
  const wall = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second);
  // Formatting drops milliseconds.
  return wall - Math.floor(instant / 1000) * 1000;
}

/** The first instant in (from, to] at which the zone's offset differs from that at `from`; null when there is none. */
export function firstChange(zone: string, from: number, to: number): number | null {
  if (zone === 'UTC') return null;
  const offset = offsetAt(zone, from);
  // No zone changes its offset and back within a day.
  for (let start = from; start < to; start += DAY_MS) {
    const end = Math.min(start + DAY_MS, to);
    if (offsetAt(zone, end) === offset) continue;
    let [same, other] = [start, end];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (offsetAt(zone, middle) === offset) same = middle;
      else other = middle;
    }
    return other;
  }
  return null;
}

/**
 * The first instant at which the zone's clocks show at least a wall time (given as if it were UTC, in milliseconds):
 * the earlier of two in a repeated hour, the end of the gap in a skipped one.
 */
export function firstInstantOf(zone: string, wall: number): number {
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  if (offsetAt(zone, wall - before) === before) return wall - before;
  if (offsetAt(zone, wall - after) === after) return wall - after;
  return firstChange(zone, wall - DAY_MS, wall + DAY_MS)!;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  // Names are case-insensitive; one entry per zone keeps the cache bounded.
  const key = zone.toLowerCase();
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(key, format);
  }
  return format;
}

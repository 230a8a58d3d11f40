/** How this browser shows dates. */
export interface DateChoice {
  /** An IANA time zone; null for that of the browser. */
  timeZone: string | null;
  /** 12 or 24 hours; null for what is usual in the reader's country. */
  hours: 'h12' | 'h23' | null;
  /** The browser's language for the names of months and days and for "3 days ago"; null for English. */
  language: 'own' | null;
  /** The locale whose order of day, month and year is used in English; null for that of the reader's country. */
  order: 'en-US' | 'en-GB' | null;
}

export const LANGUAGES = ['own'] as const;
export const HOURS = ['h12', 'h23'] as const;
export const ORDERS = ['en-US', 'en-GB'] as const;

const STORED = 'dates';

/** The choice that this browser keeps; what is not valid in it counts as not chosen. */
export function readDateChoice(): DateChoice {
  const stored = readStored();
  return {
    timeZone: isTimeZone(stored.timeZone) ? stored.timeZone : null,
    language: LANGUAGES.find((one) => one === stored.language) ?? null,
    hours: HOURS.find((one) => one === stored.hours) ?? null,
    order: ORDERS.find((one) => one === stored.order) ?? null,
  };
}

/** Keeps a choice in this browser. Dates follow it once the page is loaded again. */
export const keepDateChoice = (choice: DateChoice): void =>
  localStorage.setItem(STORED, JSON.stringify(choice));

function readStored(): Partial<Record<keyof DateChoice, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

/** Without a choice, the list of all zones is not made: every page reads the choice first. */
const isTimeZone = (value: unknown): value is string =>
  typeof value === 'string' && (value === 'UTC' || Intl.supportedValuesOf('timeZone').includes(value));

import { sourceName } from '../../api/original.ts';
import { formatDay, formatNumber, formatTime, isMidnight, midnight, startOfDay } from '../../format.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { searchTexts } from '../../texts/search.ts';
import { isFacet } from './search-state.ts';

/** Filters that a search shows as removable, in order, by their names in its address. */
export const FILTER_LABELS: Readonly<Record<string, string>> = {
  ...searchTexts.facets,
  ...searchTexts.ranges,
  ...searchTexts.flags,
  from: searchTexts.from,
  to: searchTexts.to,
  post_id: searchTexts.ofPost,
};

/** Filter names that only the API uses. */
const API_LABELS: Readonly<Record<string, string>> = {
  q: exportsTexts.q,
  created_after: searchTexts.from,
  created_before: searchTexts.to,
};

const NAMES: Readonly<Record<string, Record<string, string>>> = {
  sentiment: searchTexts.sentiments,
  post_type: searchTexts.postTypes,
  has_media: searchTexts.yesNo,
  is_nsfw: searchTexts.yesNo,
};

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

/** The name of a language by its tag; the tag where it has none. */
function languageName(tag: string): string {
  if (tag === 'und') return searchTexts.unknownLanguage;
  try {
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The value of a filter as shown to the reader. */
export function filterValue(name: string, value: string): string {
  if (name === 'language') return languageName(value);
  if (name === 'source') return sourceName(value);
  if (name === 'from' || name === 'to') return formatDay(new Date(startOfDay(value, 0)));
  if (name === 'created_after') return boundOf(new Date(value), 0);
  if (name === 'created_before') return boundOf(new Date(value), 1);
  if (Object.hasOwn(searchTexts.ranges, name)) return formatNumber(Number(value));
  return NAMES[name]?.[value] ?? value;
}

/**
 * The day that begins at a time or, for an exclusive end, ends at it, in the reader's zone; the full time if none does.
 */
function boundOf(time: Date, daysBack: 0 | 1): string {
  if (!isMidnight(time)) return formatTime(time);
  return formatDay(midnight(time, -daysBack));
}

/** A filter with its value, e.g. "Forum: technology" or "Forum: not technology". */
export function filterText(name: string, value: string): string {
  const label = FILTER_LABELS[name] ?? API_LABELS[name] ?? searchTexts.otherFilter;
  return isFacet(name) && value.startsWith('!')
    ? searchTexts.without(label, filterValue(name, value.slice(1)))
    : `${label}: ${filterValue(name, value)}`;
}

/** The filters of an export, words first, then in the order of a search. */
export function filterTexts(filters: object): string[] {
  const order = [...Object.keys(API_LABELS), ...Object.keys(FILTER_LABELS)];
  return Object.entries(filters)
    .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .flatMap(([name, value]) => [value].flat().map((one) => filterText(name, String(one))));
}

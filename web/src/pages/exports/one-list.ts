import type { Dataset } from '../datasets/datasets.ts';
import type { Export } from './exports.ts';

/** A record with files, of either kind. */
export type Entry = { id: string; createdAt: string } & (
  { of: 'export'; record: Export } | { of: 'dataset'; record: Dataset }
);

/** What was read of a list that is ordered by time, newest first. */
export interface ReadPart {
  entries: readonly Entry[];
  hasMore: boolean;
}

const endOf = ({ entries, hasMore }: ReadPart): string => (hasMore ? (entries.at(-1)?.createdAt ?? '') : '');

const endOfAll = (parts: readonly ReadPart[]): string =>
  parts.map(endOf).reduce((latest, one) => (one > latest ? one : latest), '');

/**
 * Several lists as one, newest first. It ends where the first of them goes on unread, so that what is read later never
 * appears above what is shown.
 */
export function oneList(parts: readonly ReadPart[]): Entry[] {
  const end = endOfAll(parts);
  return parts
    .flatMap(({ entries }) => entries)
    .filter(({ createdAt }) => createdAt >= end)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** The place of the list that ends first, and so is the next to be read on; -1 when all are complete. */
export function nextToRead(parts: readonly ReadPart[]): number {
  const end = endOfAll(parts);
  return parts.findIndex((part) => part.hasMore && endOf(part) === end);
}

import { percentDecoded } from '../../common/strings.js';
import { attributeOf, htmlParts } from '../http/html-tags.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** Longer pages are cut: a month has a few hundred characters in an index. */
const MAX_PAGE_LENGTH = 2_000_000;
const MAX_VOLUMES = 2_000;

/** A part of an archive by time, in one file. */
export interface MailVolume {
  /** As the archive writes it: `2024-January`, `2024/1`. */
  name: string;
  /** When it begins; epoch milliseconds, UTC. */
  start: number;
  /** The address of its mbox file. */
  file: string;
}

/** An archive as its front page shows it. Volumes are in the order of time, newest first. */
export type ArchiveFront =
  { kind: 'pipermail' | 'hyperkitty'; volumes: MailVolume[] } | { kind: 'public-inbox' };

/**
 * When a volume of Pipermail begins, by its name: a month (`2024-January`), a week (`Week-of-Mon-20240101`), a day, a
 * quarter (`2024q1`) or a year; epoch milliseconds, null for another name.
 */
export function volumeStart(name: string): number | null {
  const [, year, month] = /^(\d{4})-([A-Z][a-z]+)$/.exec(name) ?? [];
  if (year !== undefined)
    return MONTHS.includes(month!) ? Date.UTC(Number(year), MONTHS.indexOf(month!)) : null;
  const [, y, m, d] = /^(?:Week-of-Mon-)?(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  if (y !== undefined) return Date.UTC(Number(y), Number(m) - 1, Number(d));
  const [, whole, quarter = '1'] = /^((?:19|20)\d{2})(?:q([1-4]))?$/.exec(name) ?? [];
  return whole === undefined ? null : Date.UTC(Number(whole), 3 * (Number(quarter) - 1));
}

/** The name of the month of a time, as Pipermail writes it. */
export function volumeName(time: number): string {
  const date = new Date(time);
  return `${date.getUTCFullYear()}-${MONTHS[date.getUTCMonth()]}`;
}

/** The list (`NAME@HOST`) of an archive's address that has the form of HyperKitty's; null for another one. */
export const hyperkittyList = ({ pathname }: URL): string | null =>
  /\/list\/([^/@]+@[^/]+)\/$/.exec(pathname)?.[1] ?? null;

/** The kind of an archive and its volumes, by its address and its front page; null for another page. Pure. */
export function readFront(address: URL, html: string): ArchiveFront | null {
  const links = linksIn(html, address);
  const list = hyperkittyList(address);
  if (list !== null) {
    const months = newestFirst(links.flatMap((link) => hyperkittyMonth(link, address, list)));
    return months.length === 0 ? null : { kind: 'hyperkitty', volumes: months };
  }
  const volumes = newestFirst(links.flatMap((link) => pipermailVolume(link, address)));
  if (volumes.length > 0) return { kind: 'pipermail', volumes };
  const feed = new URL('new.atom', address).href;
  return links.some(({ href }) => href === feed) ? { kind: 'public-inbox' } : null;
}

/** The archives that a page about a list links, such as one of Mailman or Postorius. */
export function linkedArchives(page: URL, html: string): string[] {
  const archives = linksIn(html, page)
    .filter(({ pathname }) => /\/pipermail\/[^/]+\/?$|\/list\/[^/@]+@[^/]+\/?$/.test(pathname))
    .map(({ origin, pathname }) => `${origin}${pathname.replace(/\/?$/, '/')}`);
  return [...new Set(archives)];
}

function linksIn(html: string, base: URL): URL[] {
  const links: URL[] = [];
  for (const part of htmlParts(html.slice(0, MAX_PAGE_LENGTH))) {
    if (part.kind !== 'tag' || part.isClosing || (part.name !== 'a' && part.name !== 'link')) continue;
    const href = attributeOf(part.attributes, 'href');
    if (href === null || !URL.canParse(href, base.href)) continue;
    const url = new URL(href, base.href);
    [url.hash, url.search] = ['', ''];
    links.push(url);
  }
  return links;
}

/** A link to the text of a volume; of one without such a link, that to its threads. */
function pipermailVolume({ href }: URL, address: URL): MailVolume[] {
  if (!href.startsWith(address.href)) return [];
  const [, name, text] =
    /^([\w-]+)(\.txt(?:\.gz)?|\/(?:thread|date|subject|author)\.html)$/.exec(
      href.slice(address.href.length),
    ) ?? [];
  const start = name === undefined ? null : volumeStart(name);
  if (start === null) return [];
  const isText = text!.startsWith('.txt');
  return [{ name: name!, start, file: isText ? href : `${address.href}${name}.txt` }];
}

/** A link to a month of the list. */
function hyperkittyMonth({ pathname }: URL, address: URL, list: string): MailVolume[] {
  const path = percentDecoded(pathname);
  const base = percentDecoded(address.pathname);
  const [, year, month] = path.startsWith(base)
    ? (/^(\d{4})\/(\d{1,2})\/$/.exec(path.slice(base.length)) ?? [])
    : [];
  if (year === undefined) return [];
  const start = Date.UTC(Number(year), Number(month) - 1);
  const end = Date.UTC(Number(year), Number(month));
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const file = new URL(`export/${list}-${day(start).slice(0, 7)}.mbox.gz`, address);
  file.search = `start=${day(start)}&end=${day(end)}`;
  return [{ name: `${year}/${Number(month)}`, start, file: file.href }];
}

/** Each volume once; links to texts before those that were guessed. */
function newestFirst(volumes: readonly MailVolume[]): MailVolume[] {
  const byStart = new Map<number, MailVolume>();
  const isGiven = ({ file }: MailVolume): boolean => file.endsWith('.gz');
  for (const one of volumes) {
    const known = byStart.get(one.start);
    if (known === undefined || (isGiven(one) && !isGiven(known))) byStart.set(one.start, one);
  }
  return [...byStart.values()].sort((a, b) => b.start - a.start).slice(0, MAX_VOLUMES);
}

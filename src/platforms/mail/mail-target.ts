import { percentDecoded } from '../../common/strings.js';
import type { Target } from '../platform.js';
import type { ParsedTarget, Resolution } from '../platform-definition.js';
import { readFeedAddress } from '../feed/feed-target.js';
import { volumeStart } from './mail-volumes.js';

const EXAMPLE = 'mail:https://lists.example.org/pipermail/talk/';
/** Names of pages of a Pipermail archive. */
const INDEX_PAGE = /\/(?:index|thread|date|author|subject|threads)\.html$/i;
/** What follows the address of a public-inbox: its lists, or a message by its id. */
const INBOX_PAGE =
  /\/(?:(?:new|topics_new|topics_active)\.(?:atom|html)|all\.mbox\.gz|_\/text\/[^/]*\/?|[^/]*@[^/]*(?:\/(?:raw|[tT]\/?|t\.mbox\.gz|t\.atom)?)?)$/;
/** The part of an address of HyperKitty that names the list. */
const HYPERKITTY = /^(.*\/list\/[^/@]+@[^/]+)(?:\/.*)?$/;

/** The address of the archive to which an address of a page, a month, a message or a feed belongs. Pure; one of no archive stays. */
export function archiveAddress(url: URL): URL {
  const path = url.pathname.replace(/%40/g, '@');
  const [, hyperkitty] = HYPERKITTY.exec(path) ?? [];
  const archive = new URL(url.origin);
  archive.pathname = hyperkitty ?? withoutVolume(path.replace(INDEX_PAGE, '/')).replace(INBOX_PAGE, '/');
  if (!archive.pathname.endsWith('/')) archive.pathname += '/';
  return archive;
}

/** The path without the volume of a Pipermail archive and what is below it. */
function withoutVolume(path: string): string {
  const parts = path.split('/');
  const isVolume = (part: string | undefined): boolean =>
    part !== undefined && volumeStart(part.replace(/\.txt(?:\.gz)?$/, '')) !== null;
  // A volume, or what is below it.
  const end = [parts.length - 2, parts.length - 1].find((at) => isVolume(parts[at]));
  return end === undefined ? path : `${parts.slice(0, end).join('/')}/`;
}

/** The address of an archive that a target names; null for another text. */
export function readMailAddress(text: string): URL | null {
  const url = readFeedAddress(text.trim().replace(/^mail:/i, ''));
  return url && archiveAddress(url);
}

/** The forum of an archive that is written with its prefix (`mail:ADDRESS`); null for another text. */
export function archiveForum(text: string): string | null {
  const address = /^mail:/i.test(text) ? readMailAddress(text) : null;
  return address && `mail:${address.href}`;
}

/** The normal form of a target, or why it cannot exist. */
export function parseMailTarget(target: Target): ParsedTarget {
  const address = target.type === 'forum' ? readMailAddress(target.name) : null;
  return address === null
    ? {
        refusal: `There is no ${target.type} "mail:${target.name}". Write mail:ADDRESS with the address of the archive of a mailing list, such as ${EXAMPLE}; it holds a forum`,
      }
    : { target: { type: 'forum', name: address.href } };
}

/** The forum of messages with this name: the address of their archive. */
export function parseMailForum(name: string): { name: string } | { refusal: string } {
  const parsed = parseMailTarget({ type: 'forum', name });
  return 'refusal' in parsed ? parsed : { name: parsed.target.name };
}

/** The archive at an address that itself says what it is: of Pipermail or HyperKitty; null for another one. */
export function resolveMail(url: URL): Resolution | null {
  const pathname = url.pathname.replace(/%40/g, '@');
  if (!/\/pipermail\/[^/]+/.test(pathname) && !HYPERKITTY.test(pathname)) return null;
  const address = readMailAddress(url.href);
  return address && { target: `mail:${address.href}`, targetType: 'forum', name: listName(address) };
}

/** What people call a list: the last part of the address of its archive. */
export function listName({ pathname, host }: URL): string {
  return percentDecoded(pathname.split('/').filter(Boolean).at(-1) ?? '') || host;
}

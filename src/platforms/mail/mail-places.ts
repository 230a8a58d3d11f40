import { createHash } from 'node:crypto';
import { base32 } from '../../common/base32.js';
import { parseSite } from '../../common/site-names.js';
import type { MailMessage } from './mail-message.js';
import type { MailPlace } from './mail-posts.js';
import { hyperkittyList, type MailVolume, volumeName } from './mail-volumes.js';

/** The place of an archive's messages, with the paths of its kind. */
export function placeOf(address: URL, permalinkOf: MailPlace['permalinkOf']): MailPlace {
  return { site: parseSite(address.host)!, forum: `mail:${address.href}`, permalinkOf };
}

/** The place of an archive's messages, with the paths of the kind that its address has. */
export function placeAt(address: URL): MailPlace {
  if (hyperkittyList(address) !== null) return placeOf(address, hyperkittyPath(address));
  return placeOf(
    address,
    address.pathname.includes('/pipermail/')
      ? ({ time }) => `${address.pathname}${volumeName(time ?? Date.now())}/thread.html`
      : inboxPath(address),
  );
}

/** A public-inbox names messages by their ids. */
export const inboxPath =
  ({ pathname }: URL) =>
  ({ id }: Pick<MailMessage, 'id'>): string =>
    `${pathname}${encodeURIComponent(id)}/`;

/** The messages of Pipermail have numbers that its mbox files do not tell; its index of the volume has them all. */
export const volumePath =
  ({ pathname }: URL, { name }: MailVolume) =>
  (): string =>
    `${pathname}${name}/thread.html`;

/** HyperKitty names messages by a hash of their id. */
export const hyperkittyPath =
  ({ pathname }: URL) =>
  ({ id }: Pick<MailMessage, 'id'>): string =>
    `${pathname}message/${base32(createHash('sha1').update(id).digest())}/`;

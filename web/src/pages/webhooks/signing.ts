import { KINDS } from '../../api/kinds.ts';

/** The ways of signing, as a form offers them. */
export const SIGNINGS = ['new', 'own', 'none'] as const;

/** How the requests of a webhook are signed, as edited in a form. */
export interface Signing {
  kind: (typeof SIGNINGS)[number];
  /** The secret of the kind `new`. */
  generated: string;
  /** The secret of the kind `own`, which other programs already know. */
  own: string;
}

/** The credential that an address needs as secret; null where a secret signs requests. */
export function credentialOf(url: string): string | null {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(url)?.[0].toLowerCase() ?? '';
  const transport = KINDS.transports.find(({ schemes }) => (schemes as readonly string[]).includes(scheme));
  return transport?.requiredSecret ?? null;
}

/** Whether a form asks for the secret: of a new webhook, and of a new address with its own credential. */
export const asksSecret = (webhook: { url: string } | null, url: string): boolean =>
  webhook === null || (url !== webhook.url && credentialOf(url) !== null);

/** The signature of an address: a needed credential cannot be generated or left out. */
export const signingOf = (url: string, signing: Signing): Signing =>
  credentialOf(url) === null ? signing : { ...signing, kind: 'own' };

export const firstSigning = (): Signing => ({ kind: 'new', generated: newSecret(), own: '' });

/** The secret in the API's format; null for requests without a signature. */
export function secretOf({ kind, generated, own }: Signing): string | null {
  if (kind === 'none') return null;
  return kind === 'new' ? generated : own;
}

const SECRET_BYTES = 32;

/** A signing secret in the form that Standard Webhooks recommends: base64 of random bytes after `whsec_`. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

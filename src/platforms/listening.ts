import type { ListeningForm } from './platform-definition.js';
import type { PlatformRegistry } from './platform-registry.js';

/** What a query listens to: a whole source, or a site or an address of it. */
export interface Listened {
  source: string;
  place: string | null;
}

/** How queries name what they can listen to. */
export const listenable = (registry: PlatformRegistry): ListeningForm[] =>
  registry.all.flatMap(({ listening }) => listening ?? []);

/** The parts of a normal form: `SOURCE:social.example`. */
export function splitListened(name: string): Listened {
  const colon = name.indexOf(':');
  return colon < 0
    ? { source: name, place: null }
    : { source: name.slice(0, colon), place: name.slice(colon + 1) };
}

/** The normal form of what a query listens to, or why it cannot be listened to, as a sentence with the remedy. */
export function parseListened(
  registry: PlatformRegistry,
  text: string,
): { name: string } | { refusal: string } {
  const { source, place } = splitListened(text.trim());
  const name = source.trim().toLowerCase();
  const form = registry.find(name)?.listening;
  if (form?.placeOf === undefined && form !== undefined && place === null) return { name };
  const found = place === null ? null : (form?.placeOf?.(place.trim()) ?? null);
  if (found !== null) return { name: `${name}:${found}` };
  const forms = form === undefined ? listenable(registry) : [form];
  return {
    refusal: `This service cannot listen to "${text}". Write ${forms.map((one) => one.form).join(', ')}`,
  };
}

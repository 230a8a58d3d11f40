import type { PlatformRegistry } from './platform-registry.js';

/** Sources that a query can listen to, as users write them. */
export const listenable = (registry: PlatformRegistry): string[] =>
  registry.all.filter(({ canListen }) => canListen === true).map(({ source }) => source);

/** The normal form of a source that a query listens to, or why it cannot be listened to, as a sentence with the remedy. */
export function parseListened(
  registry: PlatformRegistry,
  text: string,
): { name: string } | { refusal: string } {
  const name = text.trim().toLowerCase();
  const known = listenable(registry);
  if (known.includes(name)) return { name };
  return { refusal: `This service cannot listen to "${text}". It listens to: ${known.join(', ')}` };
}

/** Scopes in ascending order; each includes those before it. */
export const SCOPES = ['read', 'write', 'admin'] as const;
/** Rights of an API key. */
export type Scope = (typeof SCOPES)[number];

/** Whether the granted scopes include the needed one. */
export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));
}

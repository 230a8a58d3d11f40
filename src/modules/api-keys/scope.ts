/** Each scope contains those before it. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a key with `granted` may do what needs `needed`. */
export function allows(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));
}

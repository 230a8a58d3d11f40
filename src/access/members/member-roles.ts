import { allows, type Scope } from '../../http/request/scope.js';

/** The roles of members, each with the scope that it has. */
const SCOPE_OF_ROLE = { reader: 'read', editor: 'write', owner: 'admin' } as const satisfies Record<
  string,
  Scope
>;

/** A role of a member. */
export type Role = keyof typeof SCOPE_OF_ROLE;

/** The roles, in ascending order of their rights. */
export const ROLES = Object.keys(SCOPE_OF_ROLE) as Role[];

/** The scopes of a role; each scope includes the lower ones. */
export const scopesOf = (role: Role): Scope[] => [SCOPE_OF_ROLE[role]];

/** The role with these scopes. */
export const roleOf = (scopes: readonly Scope[]): Role =>
  ROLES.findLast((role) => allows(scopes, SCOPE_OF_ROLE[role])) ?? 'reader';

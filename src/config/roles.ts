/** Roles of a process; `ROLES` names any number of these. */
export const ROLES = ['api', 'worker', 'scheduler'] as const;
/** A role of a process. */
export type Role = (typeof ROLES)[number];

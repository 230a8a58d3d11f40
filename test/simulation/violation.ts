/** An invariant that does not hold; the message says which. */
export class Violation extends Error {}

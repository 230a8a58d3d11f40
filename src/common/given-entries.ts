/**
 * The fields of an object that have a value, sorted by name, so that equal filters give equal entries whatever order
 * they were sent in.
 */
export function givenEntries(fields: object): [string, unknown][] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

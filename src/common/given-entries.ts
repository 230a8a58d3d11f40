/** Names and values of what was given, by name: the same for the same question, however it was put. */
export function givenEntries(question: object): [string, unknown][] {
  return Object.entries(question)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

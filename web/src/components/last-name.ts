/** What precedes the last of several names separated by commas, with one space after its comma. */
export function beforeLastName(text: string): string {
  const end = text.lastIndexOf(',');
  return end === -1 ? '' : `${text.slice(0, end).trimStart()}, `;
}

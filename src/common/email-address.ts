/**
 * An e-mail address in the form in which addresses are stored and compared: A to Z in lower case, everything else as
 * given. Other letters keep their case, because several of them become the same letter, also an ASCII one: two people
 * would have one address.
 */
export function normalEmail(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

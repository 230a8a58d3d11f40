/** A token that names one file among millions: long, and with a digit. */
const IDENTIFYING = /^(?=.*\d)[a-z\d]{8,}$/i;
/** Shorter names occur in an address by chance. */
const NAME_LENGTH = 4;

/**
 * Whether a redirect led from a file to a picture that stands for missing ones, such as `/removed.png`. Such a picture
 * has neither the name of the file in its address nor a name of its own that could tell it from others.
 */
export function isPlaceholder(requested: string, found: string): boolean {
  const [from, to] = [new URL(requested), new URL(found)];
  if (from.pathname === to.pathname) return false;
  const name = fileName(from);
  const address = decoded(to.pathname + to.search).toLowerCase();
  const tokens = address.split(/[^a-z\d]+/);
  if (tokens.includes(name) || (name.length >= NAME_LENGTH && address.includes(name))) return false;
  return !tokens.some((token) => IDENTIFYING.test(token));
}

/** The last segment of a path without its extension, in lower case. */
function fileName({ pathname }: URL): string {
  const last = decoded(pathname).split('/').at(-1)!;
  return last.replace(/\.[^.]*$/, '').toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** JSON text of a thing as the platform wraps it: `{"kind", "data"}`. */
export type ThingJson = string;

/** JSON text of a thing from constant fields, its own fields, and fields that already are JSON text. */
export function thing(kind: 't1' | 't3', constant: string, own: object, text = ''): ThingJson {
  return `{"kind":"${kind}","data":${dataOf(constant, own, text)}}`;
}

/** JSON text of a thing's `data` without the wrapper, as in archive rows and crossposts. */
export function dataOf(constant: string, own: object, text = ''): string {
  return `{${constant},${JSON.stringify(own).slice(1, -1)}${text === '' ? '' : `,${text}`}}`;
}

/** JSON text of a listing of things. */
export function listing(
  children: readonly ThingJson[],
  after: string | null,
  dist: number | null = children.length,
): ThingJson {
  const last = after === null ? 'null' : `"${after}"`;
  return `{"kind":"Listing","data":{"after":${last},"dist":${dist},"modhash":null,"geo_filter":"","children":[${children.join(',')}],"before":null}}`;
}

/** Encodes texts for a response: with HTML entities unless the request has `raw_json=1`. */
export type Escape = (text: string) => string;

/** Leaves a text unchanged, for `raw_json=1`. */
export const keep: Escape = (text) => text;

/** Escapes `&`, `<` and `>` as HTML entities. */
export function escapeEntities(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text;
}

/** Minimal HTML rendering of Markdown: one paragraph per block. */
export function html(markdown: string): string {
  const blocks = markdown.split('\n\n').map((block) => `<p>${escapeEntities(block)}</p>`);
  return `<div class="md">${blocks.join('\n\n')}\n</div>`;
}

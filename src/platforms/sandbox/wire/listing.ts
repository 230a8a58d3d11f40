/** JSON text of a thing as the platform wraps it: `{"kind", "data"}`. */
export type ThingJson = string;

/** A thing from fields that never differ, fields of its own, and fields that are JSON text already. */
export function thing(kind: 't1' | 't3', constant: string, own: object, text = ''): ThingJson {
  return `{"kind":"${kind}","data":${dataOf(constant, own, text)}}`;
}

/** The `data` of a thing alone, as archives and crossposts show it. */
export function dataOf(constant: string, own: object, text = ''): string {
  return `{${constant},${JSON.stringify(own).slice(1, -1)}${text === '' ? '' : `,${text}`}}`;
}

export function listing(
  children: readonly ThingJson[],
  after: string | null,
  dist: number | null = children.length,
): ThingJson {
  const last = after === null ? 'null' : `"${after}"`;
  return `{"kind":"Listing","data":{"after":${last},"dist":${dist},"modhash":null,"geo_filter":"","children":[${children.join(',')}],"before":null}}`;
}

/** How texts leave the platform: with entities, unless the client asked for raw JSON. */
export type Escape = (text: string) => string;

export const keep: Escape = (text) => text;

export function escapeEntities(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text;
}

/** A rendered text, as plain as rendering gets: one paragraph a block. */
export function html(markdown: string): string {
  const blocks = markdown.split('\n\n').map((block) => `<p>${escapeEntities(block)}</p>`);
  return `<div class="md">${blocks.join('\n\n')}\n</div>`;
}

/** A thing as the platform wraps it. */
export interface Thing {
  kind: string;
  data: Record<string, unknown>;
}

export function listing(
  children: Thing[],
  after: string | null,
  dist: number | null = children.length,
): Thing {
  return { kind: 'Listing', data: { after, dist, modhash: null, geo_filter: '', children, before: null } };
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

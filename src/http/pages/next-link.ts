/** Address whose path stands for that of any server; only path and query are used. */
const BASE = 'http://service';

/**
 * The value of the `Link` header that leads to the next page of a list (RFC 8288), relative to the server; null when the
 * body is no list or the last page. Lists with a cursor go on behind it, others at the next offset.
 */
export function nextLink(url: string, body: unknown): string | null {
  if (typeof body !== 'object' || body === null || (body as { has_more?: unknown }).has_more !== true)
    return null;
  const target = new URL(url, BASE);
  const { cursor } = body as { cursor?: unknown };
  if (typeof cursor === 'string') {
    target.searchParams.set('cursor', cursor);
    target.searchParams.delete('offset');
  } else {
    const shown = Object.values(body).find(Array.isArray)?.length ?? 0;
    target.searchParams.set('offset', String(Number(target.searchParams.get('offset') ?? 0) + shown));
  }
  return `<${target.pathname}${target.search}>; rel="next"`;
}

/** A part of a file: positions of its first and last byte. */
export interface ByteRange {
  first: number;
  last: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part that a `Range` header (RFC 9110, 14.2) requests of a file of `size` bytes: `whole` when the header is absent,
 * has several ranges or another form, which are then to be ignored; null when the file has no such part.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | null {
  const [, from, to] = RANGE.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'whole';
  // `-n` requests the last n bytes.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'whole';
  return first > last ? null : { first, last };
}

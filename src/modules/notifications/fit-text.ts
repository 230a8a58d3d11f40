const ELLIPSIS = '…';

/**
 * The longest beginning of a text whose escaped form, ellipsis included, has at most `max` UTF-16 units. No character
 * and no escape sequence is cut in two. Control characters go, with those that turn the direction of a text around.
 */
export function fitText(
  text: string,
  max: number,
  escape: (text: string) => string = (plain) => plain,
): string {
  const clean = text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const whole = escape(clean);
  if (whole.length <= max) return whole;
  let fitted = '';
  for (const character of clean) {
    const next = escape(character);
    if (fitted.length + next.length + ELLIPSIS.length > max) break;
    fitted += next;
  }
  return fitted.trimEnd() + ELLIPSIS;
}

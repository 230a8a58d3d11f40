/** The placeholder of a platform for a deleted or removed text. */
export const GONE = /^\s*\[\s*(?:deleted|removed)[^\]]{0,40}\]\s*$/i;

/** Whether a text is the platform's placeholder for a deleted or removed one. */
export function isGone(text: string): boolean {
  return GONE.test(text);
}

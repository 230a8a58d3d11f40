/** Characters that JSON leaves in texts and that readers such as Python's `splitlines` take for line ends. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** JSON text that is one line for every reader: the line ends that JSON allows in texts are escaped. */
export function onOneLine(json: string): string {
  return json.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

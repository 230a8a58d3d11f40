/** One text to analyse, parsed from a line of JSON. */
export interface AnalysisRequest {
  id: string | number;
  title: string;
  text: string;
}

/** Parses `{"id", "title"?, "text"}`; returns the mistake when the line is anything else. */
export function parseAnalysisRequest(line: string): AnalysisRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\ufeff/, ''));
  } catch {
    return 'is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a JSON object';
  const { id, title, text } = value as Record<string, unknown>;
  if (typeof id !== 'string' && typeof id !== 'number') return '"id" must be a string or a number';
  if (title !== undefined && title !== null && typeof title !== 'string') return '"title" must be a string';
  if (typeof text !== 'string') return '"text" must be a string';
  return { id, title: title ?? '', text };
}

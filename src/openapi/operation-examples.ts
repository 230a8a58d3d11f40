/** What an operation takes and gives, as examples. */
export interface OperationExamples {
  request?: unknown;
  response?: unknown;
  /** Of an answer that is no JSON, by content type. */
  files?: Record<string, string>;
}

import { gunzipSync } from 'node:zlib';

/** The body of an answer as text; that of a compressed file without its compression. */
export async function answerText(answer: Response): Promise<string> {
  const isCompressed = answer.headers.get('content-type') === 'application/gzip';
  const body = Buffer.from(await answer.arrayBuffer());
  return (isCompressed ? gunzipSync(body) : body).toString();
}

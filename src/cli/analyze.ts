/**
 * `npm run -s analyze < in.jsonl > out.jsonl`
 *
 * Input: one `{"id", "title"?, "text"}` per line, where `id` is a string or a number. Output: one
 * `{"id","language","score","label","keywords"}` per line, in the same order. An unreadable line is reported on standard error and
 * skipped; the exit code is then 1.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onOneLine } from '../common/json-line.js';
import { TextAnalyzer } from '../enrichment/analyzer.js';
import { parseAnalysisRequest, type AnalysisRequest } from '../enrichment/analysis-request.js';

/** Number of characters to buffer before writing, to save system calls. */
const CHUNK = 64 * 1024;

const analyzer = TextAnalyzer.load();
let failed = 0;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, as `head` does.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

function analyze({ id, title, text }: AnalysisRequest): string {
  const { language, sentiment, keywords } = analyzer.analyzePost(title, text);
  const line = JSON.stringify({ id, language, score: sentiment.score, label: sentiment.label, keywords });
  return `${onOneLine(line)}
`;
}

async function write(chunk: string): Promise<void> {
  if (chunk !== '' && !process.stdout.write(chunk)) await once(process.stdout, 'drain');
}

let pending = '';
let number = 0;
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  number++;
  if (line.trim() === '') continue;
  const request = parseAnalysisRequest(line);
  if (typeof request === 'string') {
    failed++;
    console.error(`analyze: line ${number}: ${request}`);
    continue;
  }
  pending += analyze(request);
  if (pending.length >= CHUNK) {
    await write(pending);
    pending = '';
  }
}
await write(pending);
if (failed > 0) {
  console.error(`analyze: ${failed} of ${number} lines could not be read`);
  process.exitCode = 1;
}

import { targetOf } from '../src/cli/source-check/check-world.js';
import { RecordedServer } from '../src/cli/source-check/recorded-server.js';
import type { RecordedAnswer, RecordedSource } from '../src/cli/source-check/recorded-source.js';
import { CheckedPlatform } from '../src/cli/source-check/source-walk.js';
import { PlatformError, type PlatformSession, type Target } from '../src/platforms/platform.js';
import { SOURCES } from '../src/platforms/registry.js';
import { CONFORMANCE_SOURCES } from './recordings/conformance-sources.js';
import { steepText } from './support/hostile-texts.js';
import { remembering } from './support/remembering.js';
import { withShared } from './support/shared-folder.js';

type Json = unknown;

/** A source whose answers have another text in one value of every kind. */
class Rewritten {
  text = 'plain words';
  /** Kinds of values that have the text: their path in an answer, without positions and depths. */
  readonly places = new Set<string>();

  constructor(private readonly recorded: RecordedSource) {}

  get source(): RecordedSource {
    return { ...this.recorded, answer: (...request) => this.answer(...request) };
  }

  private async answer(...request: Parameters<RecordedSource['answer']>): Promise<RecordedAnswer> {
    const [, address] = request;
    const answer = await this.recorded.answer(...request);
    const json = parsed(answer.body);
    const path = address.split('?', 1)[0]!;
    if (answer.body.startsWith('<')) return { ...answer, body: this.rewriteXml(answer.body, path) };
    if (answer.body.startsWith('From ')) return { ...answer, body: this.rewriteMbox(answer.body, path) };
    if (json === null) return answer;
    return { ...answer, body: JSON.stringify(this.rewrite(json, path, new Set())) };
  }

  private rewriteXml(document: string, path: string): string {
    const done = new Set<string>();
    return document.replace(/<([a-z:]+)>([^<]+)(?=<\/)/gi, (whole, name: string, value: string) => {
      const place = `${path}.${name}`;
      if (!isProse(value) || done.has(place)) return whole;
      done.add(place);
      this.places.add(place);
      return `<${name}><![CDATA[${this.text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
    });
  }

  /** Rewrites the first message. */
  private rewriteMbox(document: string, path: string): string {
    for (const part of ['subject', 'body']) this.places.add(`${path}.${part}`);
    const [head = ''] = document.split('\n\n', 1);
    const next = document.indexOf('\nFrom ', head.length);
    const headers = head
      .replace(/^Content-Transfer-Encoding:.*\n?/im, '')
      .replace(/^Subject:.*$/im, () => `Subject: ${this.text.replace(/\s*\n\s*/g, ' ')}`);
    const body = this.text.replace(/^(?=>*From )/gm, '>');
    return `${headers}\n\n${body}\n${next < 0 ? '' : document.slice(next)}`;
  }

  private rewrite(value: Json, path: string, done: Set<string>): Json {
    if (Array.isArray(value)) return value.map((one) => this.rewrite(one, path, done));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => {
          // Of replies to replies, those of one depth are enough.
          const place = path.endsWith(`.${name}`) ? path : `${path}.${name}`;
          return [name, this.rewrite(one, place, done)];
        }),
      );
    if (typeof value !== 'string' || !isProse(value) || done.has(path)) return value;
    done.add(path);
    this.places.add(path);
    return this.text;
  }
}

/** Whether a value is a text that people write, and no name, address or time. */
const isProse = (value: string): boolean => /\s|^</.test(value.trim()) && !/^\d{4}-/.test(value);

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Reads the first page of a target and the first thread that it lists. */
async function readFirst({ platform }: CheckedPlatform, target: Target, session: PlatformSession) {
  try {
    const listing = { target, name: platform.listings[0], wanted: 10 };
    const { posts } = await platform.fetchListing(listing, null, session);
    await platform.complete?.(posts.slice(0, 2), session);
    const post = posts.find(({ numComments }) => numComments > 0);
    if (post !== undefined) for await (const slice of platform.walkComments(post, session)) void slice;
  } catch (error) {
    // What a source refuses costs no more than what it accepts.
    if (!(error instanceof PlatformError)) throw error;
  }
}

describe.each(SOURCES.all)('hostile texts in answers of $source', (definition) => {
  const { recordings, start } = CONFORMANCE_SOURCES[definition.source]!;

  withShared(...recordings).it('cost in proportion to their length', async () => {
    const started = await start();
    const rewritten = new Rewritten(remembering(started.recorded));
    const server = await RecordedServer.start(rewritten.source);
    const source = new CheckedPlatform(definition, server.variables);
    try {
      const [recorded] = started.recorded.targets
        .filter(({ comments }) => comments.length > 0)
        .sort((a, b) => a.posts.length - b.posts.length);
      const target = targetOf(definition, recorded!);
      const read = () => readFirst(source, target, source.session(true));
      // The first requests also fetch and compile.
      await read();
      expect(rewritten.places.size).toBeGreaterThan(1);
      const steep = await steepText((text) => {
        rewritten.text = text;
        return read();
      });
      expect(steep).toBeNull();
    } finally {
      await source.close();
      await server.close();
      await started.stop();
    }
  });
});

import { targetOf } from '../src/cli/source-check/check-world.js';
import { RecordedServer } from '../src/cli/source-check/recorded-server.js';
import type { RecordedAnswer, RecordedSource } from '../src/cli/source-check/recorded-source.js';
import { CheckedPlatform } from '../src/cli/source-check/source-walk.js';
import { PlatformError, type PlatformSession, type Target } from '../src/platforms/platform.js';
import { SOURCES } from '../src/platforms/registry.js';
import { CONFORMANCE_SOURCES } from './recordings/conformance-sources.js';
import { steepText } from './support/hostile-texts.js';
import { withShared } from './support/shared-folder.js';

type Json = unknown;

/** Stands for the text in an answer that is not filled yet; no answer has it. */
const MARK = 'zqxplacezqx';
/** Elements that a list keeps although their values are of the kinds of those before them. */
const LEAST_ELEMENTS = 20;

/** The body of an answer that has a text in its gaps. */
type Filled = (text: string) => RecordedAnswer['body'];

/** Fills the gaps of a document, which are marked, with a text as `written` gives it. */
function gaps(document: string, mark: string, written: (text: string) => string): Filled {
  const parts = document.split(mark).map((part) => Buffer.from(part));
  return (text) => {
    const inserted = Buffer.from(written(text));
    return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [inserted, part])));
  };
}

/** A source whose answers have another text in one value of every kind. */
class Rewritten {
  text = 'plain words';
  /** Kinds of values that have the text: their path in an answer, without positions and depths. */
  readonly places = new Set<string>();
  /** By request, because reading an answer and writing it again takes longer than filling its gaps. */
  private readonly answers = new Map<string, Promise<RecordedAnswer & { filled: Filled }>>();

  constructor(private readonly recorded: RecordedSource) {}

  get source(): RecordedSource {
    return { ...this.recorded, answer: (...request) => this.answer(...request) };
  }

  private async answer(...request: Parameters<RecordedSource['answer']>): Promise<RecordedAnswer> {
    const key = JSON.stringify(request);
    const known = this.answers.get(key) ?? this.withGaps(...request);
    this.answers.set(key, known);
    const { filled, ...answer } = await known;
    return { ...answer, body: filled(this.text) };
  }

  private async withGaps(...request: Parameters<RecordedSource['answer']>) {
    const [, address] = request;
    const answer = await this.recorded.answer(...request);
    return { ...answer, filled: this.filledOf(String(answer.body), address.split('?', 1)[0]!) };
  }

  private filledOf(body: string, path: string): Filled {
    if (body.startsWith('<'))
      return gaps(this.markXml(body, path), MARK, (text) => text.replaceAll(']]>', ']]]]><![CDATA[>'));
    if (body.startsWith('From ')) return this.filledMbox(body, path);
    const json = parsed(body);
    if (json === null) return () => body;
    return gaps(JSON.stringify(this.mark(json, path, new Set())), `"${MARK}"`, (text) =>
      JSON.stringify(text),
    );
  }

  /** Fills the first message. */
  private filledMbox(document: string, path: string): Filled {
    for (const part of ['subject', 'body']) this.places.add(`${path}.${part}`);
    const [head = ''] = document.split('\n\n', 1);
    const next = document.indexOf('\nFrom ', head.length);
    const headers = head.replace(/^Content-Transfer-Encoding:.*\n?/im, '');
    return (text) => {
      const subject = `Subject: ${text.replace(/\s*\n\s*/g, ' ')}`;
      const body = text.replace(/^(?=>*From )/gm, '>');
      return `${headers.replace(/^Subject:.*$/im, () => subject)}\n\n${body}\n${next < 0 ? '' : document.slice(next)}`;
    };
  }

  private markXml(document: string, path: string): string {
    const done = new Set<string>();
    return document.replace(/<([a-z:]+)>([^<]+)(?=<\/)/gi, (whole, name: string, value: string) => {
      const place = `${path}.${name}`;
      if (!isProse(value) || done.has(place)) return whole;
      done.add(place);
      this.places.add(place);
      return `<${name}><![CDATA[${MARK}]]>`;
    });
  }

  private mark(value: Json, path: string, done: Set<string>): Json {
    if (Array.isArray(value)) return this.markList(value, path, done);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => {
          // Of replies to replies, those of one depth are enough.
          const place = path.endsWith(`.${name}`) ? path : `${path}.${name}`;
          return [name, this.mark(one, place, done)];
        }),
      );
    if (typeof value !== 'string' || !isProse(value) || done.has(path)) return value;
    done.add(path);
    this.places.add(path);
    return MARK;
  }

  /** Of many objects, those that have values of new kinds are enough, because the others cost the same for every text. */
  private markList(list: readonly Json[], path: string, done: Set<string>): Json[] {
    return list.flatMap((one, at) => {
      const known = done.size;
      const marked = this.mark(one, path, done);
      return typeof one === 'object' && at >= LEAST_ELEMENTS && done.size === known ? [] : [marked];
    });
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
    const rewritten = new Rewritten(started.recorded);
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

import { createHash, type Hash } from 'node:crypto';
import { EventLoopTurn } from '../../common/event-loop-turn.js';

/** Few enough to be written within a slice, and a seventh less work for a page of posts than one by one. */
const ITEMS_AT_ONCE = 5;

/** Long JSON as it is sent, with the entity tag that Express gives the same text. */
export interface LongJson {
  bytes: Buffer;
  entityTag: string;
}

/**
 * The text that `JSON.stringify` gives for an array, or for an object with arrays, whose items are written a few at a
 * time. If that takes longer than a slice, it is a promise of the bytes: the process does other work in between, and
 * these pieces are encoded and hashed on their own too.
 */
export function jsonInTurns(body: object): string | Promise<LongJson> {
  const turn = new EventLoopTurn();
  const pieces = piecesOf(body);
  const written: string[] = [];
  while (!turn.isOver) {
    const piece = pieces.next();
    if (piece.done === true) return written.join('');
    written.push(piece.value);
  }
  return writeRest(written, pieces, turn);
}

async function writeRest(
  written: readonly string[],
  rest: Iterable<string>,
  turn: EventLoopTurn,
): Promise<LongJson> {
  const hash = createHash('sha1');
  const chunks: Buffer[] = [];
  for (const pieces of [written, rest])
    for (const piece of pieces) {
      if (turn.isOver) await turn.next();
      const chunk = Buffer.from(piece);
      hash.update(chunk);
      chunks.push(chunk);
    }
  await turn.next();
  const bytes = Buffer.concat(chunks);
  return { bytes, entityTag: entityTagOf(hash, bytes.length) };
}

/** The form of Express: a body has one tag, whether it was written in slices or not. */
const entityTagOf = (hash: Hash, length: number): string =>
  `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;

/** Whether {@link jsonInTurns} can divide a body. */
export function isDivisible(body: unknown): body is object {
  if (
    typeof body !== 'object' ||
    body === null ||
    typeof (body as { toJSON?: unknown }).toJSON === 'function'
  )
    return false;
  return Array.isArray(body) || Object.values(body).some(Array.isArray);
}

function* piecesOf(body: object): Generator<string, undefined> {
  if (Array.isArray(body)) {
    yield* itemsOf(body);
    return;
  }
  let isFirst = true;
  for (const [key, value] of Object.entries(body)) {
    const name = `${isFirst ? '{' : ','}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) {
      yield name;
      yield* itemsOf(value);
    } else {
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) continue;
      yield name + text;
    }
    isFirst = false;
  }
  yield isFirst ? '{}' : '}';
}

function* itemsOf(items: readonly unknown[]): Generator<string, undefined> {
  yield '[';
  for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
    const list = JSON.stringify(items.slice(at, at + ITEMS_AT_ONCE));
    yield (at === 0 ? '' : ',') + list.slice(1, -1);
  }
  yield ']';
}

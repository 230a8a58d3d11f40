import { EventLoopTurn } from '../common/event-loop-turn.js';

/**
 * The text that `JSON.stringify` gives for an array, or for an object with arrays, each item of which is written on its
 * own. It is a promise if that takes longer than a slice: the process does other work in between.
 */
export function jsonInTurns(body: object): string | Promise<string> {
  const turn = new EventLoopTurn();
  const pieces = piecesOf(body);
  const written: string[] = [];
  return writeSlice(pieces, written, turn) ? written.join('') : writeRest(pieces, written, turn);
}

/** Writes pieces until the slice is over; true when none is left. */
function writeSlice(pieces: Iterator<string>, written: string[], turn: EventLoopTurn): boolean {
  while (!turn.isOver) {
    const piece = pieces.next();
    if (piece.done === true) return true;
    written.push(piece.value);
  }
  return false;
}

async function writeRest(pieces: Iterator<string>, written: string[], turn: EventLoopTurn): Promise<string> {
  do await turn.next();
  while (!writeSlice(pieces, written, turn));
  return written.join('');
}

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
  let separator = '';
  for (const item of items) {
    yield separator + ((JSON.stringify(item) as string | undefined) ?? 'null');
    separator = ',';
  }
  yield ']';
}

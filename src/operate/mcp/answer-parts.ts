import { characterStart } from '../../common/strings.js';

/** Sizes in tokens: of a value that is never divided, of a field that parts of its record repeat, and of all of them. */
const SMALLEST = 2_000;
const LARGEST_LABEL = 100;
const LARGEST_LABELS = 500;
/** Characters of a part of a long text. */
const TEXT_PART = 2_000;

/**
 * A rough upper estimate of the tokens of a text: a token has about three characters of ASCII, and other scripts take up
 * to one token for each character.
 */
export function tokensOf(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) others += 1;
  return Math.ceil((text.length - others) / 3) + others;
}

/** A text between marks, which can be divided. */
export class MarkedText {
  constructor(
    readonly text: string,
    private readonly mark: string,
  ) {}

  /** Another text between the same marks. */
  with(text: string): MarkedText {
    return new MarkedText(text, this.mark);
  }

  toJSON(): string {
    return `<${this.mark}>${this.text}</${this.mark}>`;
  }
}

/** A value as a sequence of pieces that are not divided further; `count` is their number. */
type Divided = { count: number } & (
  | { kind: 'whole'; value: unknown }
  | { kind: 'text'; pieces: string[]; of: string | MarkedText }
  | { kind: 'list'; items: Divided[] }
  /** `labels` are in every part of the record. */
  | { kind: 'record'; labels: object; fields: [string, Divided][] }
);

/** Part of a JSON value, and the number of the piece at which the next part begins; null after the last one. */
export interface Part {
  value: unknown;
  next: number | null;
}

/**
 * The largest part of a JSON value from a piece on that `fits`, with at least one piece. Large lists are divided between
 * their items, large records between their fields, and long texts between characters, so that all parts together have
 * everything; small fields of a divided record are repeated in each of its parts.
 */
export function partOf(value: unknown, from: number, fits: (part: Part) => boolean): Part {
  const whole = { value, next: null };
  if (from === 0 && fits(whole)) return whole;
  const divided = divide(value);
  const partTo = (to: number): Part => ({
    value: take(divided, from, to) ?? {},
    next: to < divided.count ? to : null,
  });
  let [least, most] = [from + 1, divided.count];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(partTo(middle))) least = middle;
    else most = middle - 1;
  }
  return partTo(least);
}

const sizeOf = (value: unknown): number => tokensOf(JSON.stringify(value) ?? '');

function divide(value: unknown): Divided {
  if (typeof value === 'string' || value instanceof MarkedText) return divideText(value);
  if (typeof value !== 'object' || value === null || sizeOf(value) <= SMALLEST)
    return { kind: 'whole', value, count: 1 };
  if (Array.isArray(value)) {
    const items = value.map(divide);
    return { kind: 'list', items, count: sum(items) };
  }
  const entries = Object.entries(value);
  const small = Object.fromEntries(entries.filter(([, field]) => isLabel(field)));
  const labels = sizeOf(small) <= LARGEST_LABELS ? small : {};
  const fields = entries
    .filter(([name]) => !Object.hasOwn(labels, name))
    .map(([name, field]): [string, Divided] => [name, divide(field)]);
  return { kind: 'record', labels, fields, count: sum(fields.map(([, field]) => field)) };
}

function divideText(of: string | MarkedText): Divided {
  const text = typeof of === 'string' ? of : of.text;
  if (text.length <= TEXT_PART) return { kind: 'whole', value: of, count: 1 };
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = characterStart(text, at + TEXT_PART, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return { kind: 'text', pieces, of, count: pieces.length };
}

const isLabel = (field: unknown): boolean =>
  (typeof field !== 'object' || field === null || field instanceof MarkedText) &&
  sizeOf(field) <= LARGEST_LABEL;

const sum = (all: readonly Divided[]): number => all.reduce((total, { count }) => total + count, 0);

/** The pieces from `from` up to `to`; undefined for none. */
function take(divided: Divided, from: number, to: number): unknown {
  if (from >= divided.count || to <= 0) return undefined;
  switch (divided.kind) {
    case 'whole':
      return divided.value;
    case 'text': {
      const text = divided.pieces.slice(Math.max(0, from), to).join('');
      return typeof divided.of === 'string' ? text : divided.of.with(text);
    }
    case 'list':
      return takeEach(divided.items, from, to).filter((item) => item !== undefined);
    case 'record': {
      const taken = takeEach(
        divided.fields.map(([, field]) => field),
        from,
        to,
      );
      const fields = divided.fields.map(([name], index) => [name, taken[index]] as const);
      return {
        ...divided.labels,
        ...Object.fromEntries(fields.filter(([, field]) => field !== undefined)),
      };
    }
  }
}

function takeEach(all: readonly Divided[], from: number, to: number): unknown[] {
  let before = 0;
  return all.map((one) => {
    const start = before;
    before += one.count;
    return take(one, from - start, to - start);
  });
}

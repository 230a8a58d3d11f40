/** A place in a workspace's arrivals, after the last one that was read. */
export interface ArrivalPosition {
  /** Transactions before this one have been read, a 64-bit integer as text. */
  xid: string;
  /** Of that transaction: statements before this one have been read, a 64-bit integer as text. */
  seq: string;
  /** Of that statement: how many rows have been read. */
  rows: number;
}

const MAX_BIGINT = 2n ** 63n - 1n;
const FORM = /^(\d{1,19})\.(\d{1,19})\.(\d{1,9})$/;

/** A position as the id of an event. */
export const positionText = ({ xid, seq, rows }: ArrivalPosition): string => `${xid}.${seq}.${rows}`;

/** The position of an event's id; null for any other text. */
export function readPosition(text: string | undefined): ArrivalPosition | null {
  const [, xid, seq, rows] = FORM.exec(text ?? '') ?? [];
  if (xid === undefined || BigInt(xid) > MAX_BIGINT || BigInt(seq!) > MAX_BIGINT) return null;
  return { xid, seq: seq!, rows: Number(rows) };
}

/** The position before everything that the transaction stored. */
export const positionBefore = (xid: string): ArrivalPosition => ({ xid, seq: '0', rows: 0 });

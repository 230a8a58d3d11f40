/** Rows of costs that are written again by the next call. */
let rows = [new Int32Array(), new Int32Array(), new Int32Array()];

/**
 * How many characters must be added, left out, replaced or exchanged with their neighbour to turn one text into another;
 * a number above `most` when it takes more. Takes time in proportion to the length of a text and `most`.
 */
export function editDistance(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  if (rows[0]!.length < b.length + 2) rows = rows.map(() => new Int32Array(2 * (b.length + 2)));
  const unreachable = a.length + b.length;
  for (let column = 0; column <= b.length + 1; column += 1) rows[0]![column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const [last, beforeLast] = [rows[(row + 2) % 3]!, rows[(row + 1) % 3]!];
    // What is further from the diagonal takes more changes than `most`.
    const first = Math.max(1, row - most);
    const end = Math.min(b.length, row + most);
    const next = rows[row % 3]!;
    let least = (next[first - 1] = first === 1 ? row : unreachable);
    for (let column = first; column <= end; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      if (!isSame && isExchanged(a, row, b, column)) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      next[column] = cost;
      if (cost < least) least = cost;
    }
    next[end + 1] = unreachable;
    if (least > most) return most + 1;
  }
  return rows[a.length % 3]![b.length]!;
}

/** Whether the characters before a row and a column are those before them in the other order. */
const isExchanged = (a: string, row: number, b: string, column: number): boolean =>
  row > 1 &&
  column > 1 &&
  a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
  a.charCodeAt(row - 2) === b.charCodeAt(column - 1);

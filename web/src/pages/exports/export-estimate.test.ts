import { describe, expect, it } from 'vitest';
import { estimatedBytes, rowBytes } from './export-estimate.ts';

const row = { id: 't3_1', title: 'Größe', keywords: ['a', 'b'], score: 12 };

describe('the estimated size of an export', () => {
  it('counts the bytes of the chosen columns', () => {
    expect(rowBytes(row, ['id', 'title', 'keywords'], 'csv')).toBe('"t3_1","Größe","a|b"\r\n'.length + 2);
    expect(rowBytes(row, ['id', 'score'], 'ndjson')).toBe('{"id":"t3_1","score":12}\n'.length);
  });

  it('is that of all rows, by the mean of some', () => {
    const sample = { rows: [row, { ...row, id: 't3_1234' }], total: 1_000 };
    expect(estimatedBytes(sample, ['id'], 'csv')).toBe(9_500);
  });

  it('is unknown without rows, and counts a value that lists do not have as a short one', () => {
    expect(estimatedBytes({ rows: [], total: 0 }, ['id'], 'csv')).toBeNull();
    expect(rowBytes(row, ['model_label'], 'csv')).toBe(10);
  });
});

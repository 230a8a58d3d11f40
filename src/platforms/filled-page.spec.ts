import { filledPage } from './filled-page.js';

describe('the next page of a listing with items', () => {
  /** Reads pages with some numbers of items, of which all but the last link on. */
  const walk = async (...sizes: number[]) => {
    const read = (after: string | null) => {
      const at = Number(after ?? 0);
      return Promise.resolve({ received: sizes[at]!, after: at + 1 < sizes.length ? String(at + 1) : null });
    };
    return filledPage(null, read);
  };

  it.each([
    [[2, 1], 2, '1'],
    [[0, 0, 1, 3], 1, '3'],
    [[0, 0, 5], 5, null],
    [[0], 0, null],
    [[0, 0], 0, null],
  ])('of pages of %j has %d items, and %p follows', async (sizes, received, after) => {
    expect(await walk(...sizes)).toEqual({ received, after });
  });

  it('is none after ten empty pages', async () => {
    expect(await walk(...Array.from({ length: 9 }, () => 0), 1)).toMatchObject({ received: 1 });
    expect(await walk(...Array.from({ length: 10 }, () => 0), 1)).toEqual({ received: 0, after: null });
    expect(await walk(...Array.from({ length: 50 }, () => 0), 1)).toEqual({ received: 0, after: null });
  });
});

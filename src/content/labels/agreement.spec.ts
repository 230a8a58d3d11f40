import { krippendorffsAlpha, pairAgreement } from './agreement.js';

describe('agreement', () => {
  it("has Cohen's kappa of a table of the literature", () => {
    // Two readers of 50 proposals: 20 yes of both, 5 and 10 mixed, 15 no of both.
    const products = 25 * 30 + 25 * 20;
    expect(pairAgreement({ records: 50, alike: 35, products })).toEqual({
      records: 50,
      observed: 0.7,
      kappa: expect.closeTo(0.4, 12) as number,
    });
  });

  it("has Krippendorff's alpha of four observers with missing labels", () => {
    // Krippendorff (2011): 40 labels, 9, 13, 10, 5 and 3 of each kind, and a diagonal of 7, 10, 8, 4 and 3.
    const squares = 9 ** 2 + 13 ** 2 + 10 ** 2 + 5 ** 2 + 3 ** 2;
    expect(krippendorffsAlpha({ labels: 40, squares, agreeing: 32 })).toBeCloseTo(0.743, 3);
  });

  it('is not defined without records or without different labels', () => {
    expect(pairAgreement()).toEqual({ records: 0, observed: null, kappa: null });
    expect(pairAgreement({ records: 3, alike: 3, products: 9 })).toEqual({
      records: 3,
      observed: 1,
      kappa: null,
    });
    expect(krippendorffsAlpha({ labels: 6, squares: 36, agreeing: 6 })).toBeNull();
  });
});

import { abbreviate, Problem } from './problem.js';

describe('a problem', () => {
  it('of validation lists the first twenty errors, each field once in its detail', () => {
    const errors = Array.from({ length: 21 }, (_, number) => ({
      field: `f${Math.floor(number / 2)}`,
      message: `${number}`,
    }));
    const { status, detail, extra } = Problem.validation(errors);
    expect([status, extra.errors]).toEqual([400, errors.slice(0, 20)]);
    expect(detail).toBe('These fields are not valid: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9');
  });

  it('shows names of up to 100 characters in full', () => {
    expect(abbreviate('x'.repeat(100))).toBe('x'.repeat(100));
    expect(abbreviate('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
  });
});

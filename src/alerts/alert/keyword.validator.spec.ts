import { validateSync } from 'class-validator';
import { DraftAlertDto } from './alert.dto.js';

describe('keywords of an alert', () => {
  const errorsOf = (keywords: unknown): string[] =>
    validateSync(Object.assign(new DraftAlertDto(), { keywords })).flatMap(({ constraints }) =>
      Object.keys(constraints ?? {}),
    );

  it('are not checked one by one when there are too many', () => {
    let reads = 0;
    const keywords = new Proxy(
      Array.from({ length: 64_000 }, (_, at) => `keyword ${at}`),
      {
        get: (target, key, receiver) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    expect(errorsOf(keywords)).toEqual(['arrayMaxSize']);
    expect(reads).toBe(0);
  });

  it('are checked when there are as many as allowed', () => {
    expect(errorsOf([...Array.from({ length: 99 }, () => 'rust'), '...'])).toEqual(['areKeywords']);
  });

  it('are named by their place when they cannot be found', () => {
    const [error] = validateSync(Object.assign(new DraftAlertDto(), { keywords: ['rust', 'go', '...'] }));
    expect(error?.constraints?.areKeywords).toMatch(/^keywords\.2 must /);
  });

  it.each([
    [['rust'], []],
    [['rust', '...'], ['areKeywords']],
    [['x'.repeat(201)], ['areKeywords']],
    [[7], ['areKeywords']],
  ])('%j', (keywords, errors) => {
    expect(errorsOf(keywords)).toEqual(errors);
  });
});

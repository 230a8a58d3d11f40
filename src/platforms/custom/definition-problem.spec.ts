import type { PlatformDefinition, TargetForm } from '../platform-definition.js';
import { problemOfDefinition } from './definition-problem.js';

const form: TargetForm = {
  form: 'shop:NAME',
  example: 'shop:tools',
  description: 'what a shop sells',
  targetType: 'forum',
};
const valid = {
  ...{ source: 'shop', name: 'Shop', prefix: 'shop', origin: 'https://shop.example', hasSites: false },
  ids: { post: 'sh_', comment: 'shc_' },
  lacks: [],
  remedies: {},
  targets: [form],
  parseTarget: (target: { name: string }) => ({ target }),
  ...{ isCaseSensitive: () => false, budget: () => null, resolve: () => null, create: () => null },
};
const none = () => ({ refusal: 'is unknown' });
const thrown = () => {
  throw new Error('broken');
};
const lengthened = ({ name }: { name: string }) => ({ target: { name: `${name}x` } });

describe('a definition of a platform', () => {
  it('has no problem when it is whole', () => {
    expect(problemOfDefinition(valid)).toBeNull();
    expect(problemOfDefinition({ ...valid, lacks: ['votes'], remedies: { blocked: 'wait' } })).toBeNull();
  });

  it.each<[keyof PlatformDefinition, ...unknown[]]>([
    ['source', undefined, 1, 'S', 'shop-1', 's', 's'.repeat(33)],
    ['name', undefined, ''],
    ['prefix', undefined, 's', 'shop1', 's'.repeat(33)],
    ['ids', undefined, { post: 'sh_' }, { post: 'sh', comment: 'shc_' }, { post: 'sh_', comment: 'SHC_' }],
    ['origin', undefined, 'shop.example', 'ftp://shop.example'],
    ['hasSites', undefined, 'yes'],
    ['lacks', undefined, 'votes', [1]],
    ['remedies', undefined, null, 'none'],
    ['targets', undefined, [], 'shop:NAME'],
    ['parseTarget', undefined, none, thrown, lengthened],
    ['isCaseSensitive', undefined],
    ['budget', undefined],
    ['resolve', undefined],
    ['create', undefined],
  ])('is refused with the name of the field: %s', (field, ...values) => {
    for (const value of values)
      expect(problemOfDefinition({ ...valid, [field]: value })).toContain(`\`${field}`);
  });

  it.each([
    [{ form: '' }, '`targets`'],
    [{ description: 1 }, '`targets`'],
    [{ targetType: 'shop' }, '`targets`'],
    [{ example: 'store:tools' }, 'must begin with "shop:"'],
  ])('is refused with a form of targets like %j', (change, reason) => {
    expect(problemOfDefinition({ ...valid, targets: [{ ...form, ...change }] })).toContain(reason);
  });

  it.each([[null], ['shop'], [() => valid]])('is no %p', (value) => {
    expect(problemOfDefinition(value)).toMatch(/^its default export/);
  });
});

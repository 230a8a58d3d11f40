import { binaryArray } from './binary-array.js';

describe('binaryArray', () => {
  it('writes dimensions, type and elements as array_recv reads them', () => {
    expect(binaryArray('integer', [7, -1]).toString('hex')).toBe(
      '00000001' +
        '00000000' +
        '00000017' +
        '00000002' +
        '00000001' +
        '0000000400000007' +
        '00000004ffffffff',
    );
  });

  it('marks null elements', () => {
    expect(binaryArray('text', ['é', null]).toString('hex')).toBe(
      '00000001' + '00000001' + '00000019' + '00000002' + '00000001' + '00000002c3a9' + 'ffffffff',
    );
  });

  it('encodes times as microseconds since the year 2000', () => {
    const element = binaryArray('timestamptz', [new Date('1999-12-31T23:59:59.999Z')]).subarray(24);
    expect(element.readBigInt64BE()).toBe(-1_000n);
  });

  it('rejects a number outside the range of the type', () => {
    expect(() => binaryArray('integer', [2 ** 31])).toThrow('out of range');
  });
});

import { expect, it } from 'vitest';
import { commonTexts } from '../texts/common.ts';
import { secretAdvice } from './secret-advice.ts';

it.each([
  ['', undefined],
  ['x'.repeat(23), commonTexts.secretShort],
  ['x'.repeat(24), undefined],
  ['ü'.repeat(12), undefined],
  [`whsec_${btoa('x'.repeat(23))}`, commonTexts.secretShort],
  [`whsec_${btoa('x'.repeat(24))}`, undefined],
  [`whsec_${btoa('x'.repeat(25))}`, undefined],
  [`whsec_${'A'.repeat(31)}`, commonTexts.secretShort],
  [`whsec_${'A'.repeat(33)}`, commonTexts.secretNotEncoded],
  [`whsec_${'A-'.repeat(20)}`, commonTexts.secretNotEncoded],
  ['whsec_', commonTexts.secretNotEncoded],
])('the advice about %j is %j', (secret, advice) => {
  expect(secretAdvice(secret)).toBe(advice);
});

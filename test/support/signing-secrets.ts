/** Signing secrets with the bytes that they stand for, as text. */
export const SIGNING_SECRETS: readonly (readonly [secret: string, bytes: string])[] = [
  ['x', 'x'],
  ['geheim-ü', 'geheim-ü'],
  ['whsec_c2VjcmV0', 'secret'],
  ['whsec_c2VjcmU=', 'secre'],
  ['whsec_c2VjcmU', 'secre'],
  ['whsec_c2VjcmV', 'secre'],
  ['whsec_c2VjcmV0c', 'whsec_c2VjcmV0c'],
  ['whsec_c2Vj cmV0', 'whsec_c2Vj cmV0'],
  ['whsec_c2Vj_mV0', 'whsec_c2Vj_mV0'],
  ['whsec_c2VjcmV0===', 'whsec_c2VjcmV0==='],
  ['whsec_', 'whsec_'],
  ['whsec_=', 'whsec_='],
  [' whsec_c2VjcmV0', ' whsec_c2VjcmV0'],
  ['WHSEC_c2VjcmV0', 'WHSEC_c2VjcmV0'],
];

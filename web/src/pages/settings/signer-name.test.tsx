// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { SignerName } from './signer-name.tsx';

afterEach(cleanup);

it.each([
  ['bo@example.com', 'bo@example.com'],
  ['rp_1a2b', 'rp_1a2b…'],
])('shows the signer %s as %s', (name, shown) => {
  expect(render(<SignerName name={name} />).container.textContent).toBe(shown);
});

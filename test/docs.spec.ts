import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEM_STATUS } from '../src/http/problem.js';

it('docs/api.md explains every code with its status', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(PROBLEM_STATUS);
});

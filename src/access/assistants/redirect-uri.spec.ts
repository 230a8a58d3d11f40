import { isAllowedRedirect, isRegistered } from './redirect-uri.js';

it.each([
  ['https://a.example/back?x=1', true],
  ['http://localhost:1/back', true],
  ['http://127.0.0.1/', true],
  ['http://[::1]:8080/back', true],
  ['http://a.example/back', false],
  ['http://localhost.a.example/', false],
  ['http://localhost@a.example/', false],
  ['https://a.example/#x', false],
  ['https://a.example\\@b.example/', false],
  ['https://a.example/a b', false],
  ['https://a.example/é', false],
  ['javascript:alert(1)', false],
  ['app://back', false],
  ['/back', false],
])('an answer to %s is allowed: %s', (text, expected) => {
  expect(isAllowedRedirect(text)).toBe(expected);
});

it.each([
  ['https://a.example/back', true],
  ['https://a.example/back/', false],
  ['https://a.example:443/back', false],
  ['https://A.example/back', false],
  ['https://a.example/x/../back', false],
  ['https://a.example:444/back', false],
  ['http://localhost/cb?x=1', true],
  ['http://localhost:1/cb?x=1', true],
  ['http://localhost:1/cb?x=2', false],
  ['http://localhost:1/cb', false],
  ['http://127.0.0.1:1/cb?x=1', false],
  ['https://localhost:1/cb?x=1', false],
  ['http://user@localhost:1/cb?x=1', false],
])('%s is registered: %s', (requested, expected) => {
  const registered = ['https://a.example/back', 'http://localhost:9/cb?x=1'];
  expect(isRegistered(requested, registered)).toBe(expected);
});

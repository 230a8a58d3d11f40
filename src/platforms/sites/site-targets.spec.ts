import { parsedAs, readNameOfSite, requireTarget } from './site-targets.js';

const target = { type: 'forum', name: 'x' } as const;

describe('a target of a site', () => {
  it.each([
    ['news@site.example', { name: 'news', site: 'site.example' }],
    ['!news@home.example@Site.Example', { name: 'news@home.example', site: 'site.example' }],
    ['news@site.example:8443', { name: 'news', site: 'site.example:8443' }],
    ['ann@федерация.example', { name: 'ann', site: 'xn--80ahcbq0cyav6f.example' }],
    ['ann@дом.example@site.example', { name: 'ann@xn--d1aqf.example', site: 'site.example' }],
    ['Cafe%CC%81@site.example', { name: 'Café', site: 'site.example' }],
    ['100%@site.example', { name: '100%', site: 'site.example' }],
    ['a@b@c@site.example', null],
    ['a%2Fb@site.example', null],
    ['a@b c@site.example', null],
    ['news', null],
    ['a b@site.example', null],
  ])('%s is read', (name, read) => {
    expect(readNameOfSite({ name })).toEqual(read);
  });

  it('has a normal form, or is refused with the forms to write', () => {
    expect(parsedAs('p', target, 'y', 'p:Y')).toEqual({ target: { type: 'forum', name: 'y' } });
    expect(parsedAs('p', target, null, 'p:Y')).toEqual({ refusal: 'There is no forum "p:x". Write p:Y' });
  });

  it('that cannot be read fails', () => {
    expect(requireTarget('p', target, 5)).toBe(5);
    expect(() => requireTarget('p', target, null)).toThrow('There is no target "p:x"');
  });
});

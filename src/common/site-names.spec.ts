import { growthOf } from '../../test/support/growth.js';
import { parseSite } from './site-names.js';

describe('the name of a site', () => {
  it.each([
    ['Site.Example', 'site.example'],
    ['https://site.example:8443/', 'site.example:8443'],
    ['forum.münchen.example', 'forum.xn--mnchen-3ya.example'],
    ['FORUM.MÜNCHEN.example:8443', 'forum.xn--mnchen-3ya.example:8443'],
    ['例え.example', 'xn--r8jz45g.example'],
    ['xn--r8jz45g.example', 'xn--r8jz45g.example'],
    ['münchen example', null],
    ['münchen.example/path', null],
    ['ann@münchen.example', null],
    ['', null],
    ['Example.ORG', 'example.org'],
    ['https://example.org/', 'example.org'],
    ['example.org:443', 'example.org'],
    ['example.org:0443', 'example.org'],
    ['example.org:08443', 'example.org:8443'],
    ['example.org:8443', 'example.org:8443'],
    ['example.org/x', null],
    ['-', null],
  ])('%s is %s', (text, site) => expect(parseSite(text)).toBe(site));

  it('takes linear time for marks whose order changes', async () => {
    const read = (count: number) => parseSite('\u05ae\u0300\u0315'.repeat(count));
    expect(await growthOf(read, 1_000)).toBeLessThan(3);
  });
});

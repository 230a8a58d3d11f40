import { plainText } from './plain-text.js';

describe('plainText', () => {
  it.each([
    ['raw paragraphs', 'a<p>b<p>c', 'a\n\nb\n\nc'],
    ['wrapped paragraphs', '<p>a</p><p>b</p>', 'a\n\nb'],
    ['entities once', 'x &amp;lt; y &#x27;&quot;&#x2F;&gt;', `x &lt; y '"/>`],
    ['italics', 'so <i>much</i> better', 'so much better'],
    [
      'a shortened link',
      '<a href="https:&#x2F;&#x2F;example.com&#x2F;a-long-path" rel="nofollow">https:&#x2F;&#x2F;example.com&#x2F;a-lo...</a> ok',
      'https://example.com/a-long-path ok',
    ],
    ['a link with its text', 'see <a href="https:&#x2F;&#x2F;e.org" rel="nofollow">e.org</a>', 'see e.org'],
    [
      'code',
      'first<p><pre><code>  if (a &lt; b) {\n    c();\n\n  }\n</code></pre>\nlast\nline',
      'first\n\n  if (a < b) {\n    c();\n\n  }\n\nlast line',
    ],
    ['a quote', '&gt; so<p>no', '> so\n\nno'],
    ['what only looks like markup', 'a &lt;p&gt; b < c', 'a <p> b < c'],
    ['characters that Postgres refuses', 'a\u0000b\ud800', 'ab\ufffd'],
    ['nothing', null, ''],
  ])('reads %s', (_, html, text) => expect(plainText(html, 1_000)).toBe(text));

  it('cuts at the longest length', () => {
    expect(plainText('&amp;'.repeat(100), 10).length).toBeLessThanOrEqual(10);
  });
});

import { isSteep } from '../../../test/support/steep-work.js';
import { plainText } from './plain-text.js';

describe('plainText', () => {
  it.each([
    ['raw paragraphs', 'a<p>b<p>c', 'a\n\nb\n\nc'],
    ['wrapped paragraphs', '<p>a</p><p>b</p>', 'a\n\nb'],
    ['entities once', 'x &amp;lt; y &#x27;&quot;&#x2F;&gt;', `x &lt; y '"/>`],
    ['line breaks', 'a<br>b<br/>c', 'a\nb\nc'],
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
    [
      'a quote with its author',
      '<aside class="quote"><div>a:</div><blockquote><p>b<br>c</p></blockquote></aside><p>d',
      '> a:\n\n> b\n> c\n\nd',
    ],
    ['a list', '<p>a</p>\n<ul>\n<li>b</li>\n<li><p>c</p></li></ul><p>d', 'a\n\n- b\n- c\n\nd'],
    ['a table', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a b\n1 2'],
    [
      'an emoji',
      '<p>so <img src="x.png" title=":smile:" class="emoji" alt="x"> and <img src="y.png" alt="y">',
      'so :smile: and',
    ],
    [
      'an address in parts',
      '<a href="https://e.org/p"><span class="invisible">https://</span><span class="ellipsis">e.org/p</span><span class="invisible"></span></a>',
      'https://e.org/p',
    ],
    ['headings and comments', '<h2>a</h2>b<!-- c > d --><script>e<</script>f', 'a\n\nbf'],
    [
      'a picture with its caption',
      '<a class="lightbox" href="x"><img src="y"><div class="meta"><svg></svg><div>1x2</div></div></a>z',
      'z',
    ],
    ['nothing', null, ''],
    ['entities of older texts', '&#34;a&#34; &#39;b&#39; &#62;', `"a" 'b' >`],
    [
      'an address with entities of its own',
      '<a href="https:&#x2F;&#x2F;e.org&#x2F;?a=1&amp;b=2">https:&#x2F;&#x2F;e.org&#x2F;?a...</a>',
      'https://e.org/?a=1&b=2',
    ],
    ['a link without an address', '<a rel="nofollow">so...</a>', 'so...'],
    [
      'a link that is never closed',
      'see <a href="https:&#x2F;&#x2F;e.org" rel="nofollow">e.org',
      'see e.org',
    ],
    [
      'a shortened link in italics',
      '<i><a href="https:&#x2F;&#x2F;e.org&#x2F;long">e.org&#x2F;lo...</a></i>',
      'https://e.org/long',
    ],
    [
      'code in which tags are quoted',
      '<pre><code>&lt;p&gt;a&lt;&#x2F;p&gt;\n  b</code></pre>',
      '<p>a</p>\n  b',
    ],
    ['code with a paragraph in it', '<pre><code>a\n  b<p>c</code></pre>', 'a\n  bc'],
    ['code that is never closed', 'a<p><pre><code>  b\n  c', 'a\n\n  b\n  c'],
    [
      'a quoted `>`',
      '<p>a <img alt="x -> y" src="z"> b <a title=\'m > n\' href="https://e.org">c</a>',
      'a  b c',
    ],
    ['a quote that is never closed', '<p>a <a href="https://e.org>b</a> <i>c</i>', 'a b c'],
    ['an apostrophe in a tag', "<p>a <b it's>c</b> d", 'a c d'],
    [
      'values without quotes',
      '<a href=https://e.org/long-path>https://e.org/lo...</a>',
      'https://e.org/long-path',
    ],
    ['words with dots that link', '<a href="https://e.org/more">Read more...</a>', 'Read more...'],
    [
      'a link shortened by its style',
      '<a href="https://www.e.org/watch?v=long" class="ellipsis">www.e.org/watch?v=lo</a>',
      'https://www.e.org/watch?v=long',
    ],
    [
      'a link of which a part is shortened by its style',
      '<a href="https://e.org/long/path"><span class="ellipsis">e.org/long</span></a>',
      'https://e.org/long/path',
    ],
    [
      'a link of which another element is shortened by its style',
      '<a href="https://e.org/long/path"><bdi class="u ellipsis">e.org/long</bdi></a>',
      'https://e.org/long/path',
    ],
    ['empty paragraphs', '<p><p>a<p> <p>b<p>', 'a\n\nb'],
    ['other writing systems and emoji', '日本語 &#128512; 😀 naïve', '日本語 😀 😀 naïve'],
  ])('reads %s', (_, html, text) => expect(plainText(html, 1_000)).toBe(text));

  it('cuts text at the maximum length', () => {
    expect(plainText('&amp;'.repeat(100), 10).length).toBeLessThanOrEqual(10);
    expect(plainText('<i>12345</i>67890', 10)).toBe('1234567890');
    expect(plainText('😀'.repeat(10), 5)).toBe('😀😀');
    expect(plainText(`<b></b><i>${'x'.repeat(9)}😀`, 10)).toBe('xxxxxxxxx');
  });

  it.each([
    '<',
    '<a',
    '<a href="',
    ' ',
    '\n',
    '<!--',
    '<p class="',
    '</',
    '<li>',
    '<li><p>',
    '<a href=x>y</a>',
    '&',
    '<blockquote>',
    "<a b='>'",
    '<a b=">',
    '<a b=',
  ])('needs linear time for a text full of %j', async (piece) => {
    const read = (length: number) => plainText(piece.repeat(length / piece.length), length / 2);
    // Twice the longest text: of longer ones, collecting ropes of pieces that outlive the young generation is measured.
    expect(await isSteep(read, 160_000)).toBe(false);
  });
});

import { SqlParameters } from '../../database/sql.js';
import { highlightColumns, highlightsOf } from './highlights.js';

const MARKED = '\ue000solid\ue001 & "state" \ue002b\ue003';

describe('highlights', () => {
  it('cover only texts in which a word was found', () => {
    const row = { highlight_title: MARKED, highlight_selftext: 'nothing found', title: '<b>' };
    expect(highlightsOf(row, ['title', 'selftext'])).toEqual({
      title: '<mark>solid</mark> &amp; &quot;state&quot; &lt;b&gt;',
    });
    expect(highlightsOf({}, ['title', 'selftext'])).toEqual({});
  });

  it('escape every character with a meaning in HTML', () => {
    expect(highlightsOf({ highlight_body: `\ue000'\ue001<img src="x">&amp;` }, ['body'])).toEqual({
      body: '<mark>&#39;</mark>&lt;img src=&quot;x&quot;&gt;&amp;amp;',
    });
  });

  it('drop characters of the text that serve as placeholders for marks and brackets', () => {
    const parameters = new SqlParameters();
    expect(highlightColumns(['title', 'selftext'], 'solid', parameters)).toHaveLength(2);
    // `translate` deletes characters of the first list that have no counterpart in the second.
    expect(parameters.values.slice(1, 3)).toEqual(['<>\ue000\ue001\ue002\ue003', '\ue002\ue003']);
  });

  it('are empty for a query without words', () => {
    expect(highlightColumns(['title'], '', new SqlParameters())).toEqual([]);
  });
});

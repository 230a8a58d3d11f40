import { type About, readAbout } from './about.js';

const only = (about: Partial<About>): About => ({ names: [], others: [], sites: [], ...about });

it.each<[string, Partial<About>]>([
  ['', {}],
  ['"" !!', {}],
  ['Acme', { names: ['Acme'] }],
  ['acme corp', { names: ['acme corp'] }],
  ['the Acme', { names: ['Acme'] }],
  ['acme is a bird', { others: ['acme', 'bird'] }],
  ['Big Blue Sky', { names: ['Big Blue Sky'] }],
  ['Acme Widgets, a shop for tools', { names: ['Acme Widgets'], others: ['shop', 'tools'] }],
  [
    'A shop called Acme Widgets and Big Bolt',
    { names: ['Acme Widgets', 'Big Bolt'], others: ['shop', 'called'] },
  ],
  ['Acme: Bolt and Nut', { names: ['Acme', 'Bolt', 'Nut'] }],
  // The first word has a capital in any sentence, unless the next one has, too.
  ['Tools for Acme at work', { names: ['Acme'], others: ['tools', 'work'] }],
  ['Great Acme tools for work', { names: ['Great Acme'], others: ['tools', 'work'] }],
  ['People say Acme. Great tools', { names: ['Acme', 'Great'], others: ['tools'] }],
  ['x iPhone y Z9 q', { names: ['iPhone', 'Z9'] }],
  ['C++ and C#', { names: ['C#'], others: ['c++'] }],
  [
    '“blue bird” from https://www.docs.Example.org/a?b and #tag',
    { names: ['blue bird', 'Example', 'tag'], sites: ['docs.example.org'] },
  ],
  ['a.example.org b.example.com', { names: ['example'], sites: ['a.example.org'] }],
  ['about Acme acme ACME and acme', { names: ['Acme'], others: ['acme'] }],
  ['about Ann, Bob, Eve, Joe', { names: ['Ann', 'Bob', 'Eve'] }],
  ['one two three four five six seven', { others: ['one', 'two', 'three', 'four', 'five', 'six'] }],
])('of %j it is read: %j', (text, about) => {
  expect(readAbout(text)).toEqual(only(about));
});

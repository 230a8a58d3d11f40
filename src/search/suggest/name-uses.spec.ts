import { EventLoopTurn } from '../../common/event-loop-turn.js';
import { usesOf } from './name-uses.js';

const of = (...texts: string[]) => usesOf(texts, 'Swift', new EventLoopTurn());
const repeated = (count: number, text: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => text(at));

it.each([
  ['we like Swift here', 'name'],
  ['we like Swift, really', 'name'],
  ['in Rust, Swift is', 'name'],
  ['see @swift now', 'name'],
  ['see #SWIFT now', 'name'],
  ['see swift.org now', 'name'],
  ['The swift flew', 'ordinary'],
  ['It is so. Swift flew. a swift', 'ordinary'],
  ['the swift flew', 'unknown'],
  ['we. Swift flew', 'unknown'],
  ['Swift', 'unknown'],
  ['we like Swift Current', 'unknown'],
  ['We like Taylor Swift here', 'unknown'],
  ['Swiftly and Unswift', 'unknown'],
  ['nothing', 'unknown'],
  // One use as a name makes the text one with the name.
  ['The swift flew, as we like Swift here', 'name'],
])('%j has it as %s', async (text, use) => {
  const { names, ordinary } = await of(text);
  expect([names, ordinary]).toEqual([use === 'name' ? 1 : 0, use === 'ordinary' ? 1 : 0]);
});

it('leaves out pairs of three texts with the ordinary word, and few with the name', async () => {
  const birds = repeated(3, () => 'The swift bird flew.');
  const names = repeated(2, () => 'we like Swift here');
  expect((await of(...birds, ...names)).exclusions).toEqual({ pairs: ['the swift'], names: 2, ordinary: 0 });
  const few = await of(...birds.slice(1), ...names);
  expect(few.exclusions).toEqual({ pairs: [], names: 2, ordinary: 2 });
  // Each text with the name that a pair leaves out counts as four.
  const wrong = 'and a Swift bird here';
  const leftOut = async (count: number) =>
    (await of(...repeated(count, (at) => `The hour ${at}. a swift bird.`), wrong)).exclusions;
  expect(await leftOut(4)).toEqual({ pairs: [], names: 1, ordinary: 4 });
  expect(await leftOut(5)).toEqual({ pairs: ['a swift'], names: 0, ordinary: 0 });
});

it('has the company of the name that the ordinary word has not', async () => {
  const { company, ordinaryTexts } = await of(
    'we compile Swift with Xcode fast',
    'they compile Swift with a debugger, Apple says',
    'The swift nests with a debugger.',
  );
  expect(company).toEqual(['compile', 'Xcode', 'Apple']);
  expect(ordinaryTexts).toEqual(['the swift nests with a debugger.']);
});

it('names the most frequent company first', async () => {
  const { company } = await of(
    'they compile Swift with Xcode',
    'they compile Swift with Xcode',
    'we like Swift with Xcode',
  );
  expect(company).toEqual(['Xcode', 'compile']);
});

import { EventLoopTurn } from '../../common/event-loop-turn.js';
import { clusterRows, type StoryText } from './cluster-rows.js';

const text = (title: string, link: string | null = null, body = ''): StoryText => ({
  title,
  text: body,
  links: [link],
});
const stories = async (texts: StoryText[]): Promise<number[][]> =>
  (await clusterRows(texts, new EventLoopTurn())).map(({ rows }) => rows);
const TALK = ['Good morning everyone', 'What should I cook tonight?', 'My cat sleeps all day long'].map(
  (title) => text(title),
);

describe('the stories of texts', () => {
  it.each<[string, StoryText[]]>([
    [
      'with the same link',
      [
        text('A look back', 'https://news.example/a?utm_source=x'),
        text('Read this', 'https://news.example/a'),
      ],
    ],
    [
      'in two languages with the same names',
      [
        text('Kepler telescope photographs Enceladus geysers'),
        text('Kepler-Teleskop fotografiert Geysire auf Enceladus'),
      ],
    ],
    [
      'with other words for one event',
      [
        text('Zyxel routers of Vodafone hacked by Mirai botnet'),
        text('Mirai botnet attacks Zyxel routers at Vodafone customers'),
      ],
    ],
  ])('are one for texts %s', async (_name, same) => {
    expect(await stories([...TALK, ...same])).toEqual([[3, 4]]);
    expect(await stories([same[1]!, ...TALK, same[0]!])).toEqual([[0, 4]]);
  });

  it('are two for events that share a word', async () => {
    const places = ['Calgary Nenshi stampede', 'Bundaberg Queensland bigwet'];
    const floods = places.flatMap((names) =>
      Array.from({ length: 12 }, (_, at) =>
        text(
          `Flood in ${names
            .split(' ')
            .toSpliced(at % 3, 1)
            .join(' ')}`,
        ),
      ),
    );
    const talk = Array.from({ length: 60 }, (_, at) => text(`${TALK[at % 3]!.title} ${at}`));
    const found = await stories([...floods, ...talk]);
    expect(found.slice(0, 2)).toEqual(
      [0, 12].map((first) => Array.from({ length: 12 }, (_, at) => first + at)),
    );
  });

  it('name what they are about, and show different texts', async () => {
    const [story] = await clusterRows(
      [text('Mirai botnet attacks Zyxel'), text('Mirai botnet attacks Zyxel today'), ...TALK],
      new EventLoopTurn(),
    );
    expect(story).toMatchObject({ rows: [0, 1], telling: expect.arrayContaining([0, 1]) as number[] });
    expect(story!.keywords).toEqual(expect.arrayContaining(['mirai', 'zyxel']));
  });
});

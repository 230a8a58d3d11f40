import { readdirSync } from 'node:fs';
import type { FreshMatch } from '../../src/alerts/matching/alert-matches.repository.js';
import { foldStories, similarRecords } from '../../src/alerts/stories/fold-stories.js';
import { normalLink } from '../../src/content/stories/normal-link.js';
import { type Story, storyKeys } from '../../src/content/stories/story-keys.js';
import { describeRecordings, exchangesOf, RECORDINGS } from './replay.js';

const ORIGIN = 'https://www.reddit.com';
const PLANTED_OF_EACH_KIND = 300;
const LONG_TEXT_WORDS = 40;

/** A post or comment of the stream; those of the same group tell the same story. */
interface Told extends Story {
  id: string;
  group: string;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = randomFrom(45);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

/** All posts and comments of the recordings, each once. */
function recordedStories(): Told[] {
  const found = new Map<string, Told>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const one = node as Record<string, unknown>;
    if (typeof one.id === 'string' && typeof one.title === 'string' && typeof one.permalink === 'string') {
      const links = [one.url, one.permalink].map((link) =>
        typeof link !== 'string' ? null : link.startsWith('/') ? ORIGIN + link : link,
      );
      const id = `t3_${one.id}`;
      const text = typeof one.selftext === 'string' ? one.selftext : '';
      found.set(id, { id, group: id, title: one.title, text, links });
    } else if (typeof one.id === 'string' && typeof one.body === 'string') {
      const id = `comment:t1_${one.id}`;
      found.set(id, { id, group: id, title: '', text: one.body, links: [] });
    }
    for (const child of Object.values(node)) visit(child);
  };
  const files = readdirSync(RECORDINGS).filter((file) => /\.jsonl(\.gz)?$/.test(file));
  for (const file of files) for (const { response } of exchangesOf(file)) visit(response.body);
  return [...found.values()];
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** A text of which one word in ten is left out, replaced, or followed by another. */
const changed = (text: string): string =>
  wordsOf(text)
    .flatMap((word) => (random() < 0.1 ? pick([[], ['really'], [word, 'indeed'], [word.slice(1)]]) : [word]))
    .join(' ');

const edited = (title: string): string =>
  `${title.replace(/\s\S+$/, '')} ${pick(['[video]', '(2016)', 'again'])}`;

function tracked(link: string): string {
  const url = new URL(link);
  url.searchParams.set('utm_source', 'feed');
  url.hash = 'comments';
  return url.href;
}

/** A sentence in another language with the longest words of the title, as names stay in translations. */
const translated = (title: string): string => {
  const names = [...wordsOf(title)].sort((a, b) => b.length - a.length).slice(0, 2);
  return pick([
    `Warum ${names.join(' und ')} für die meisten Menschen noch immer nicht so wichtig ist`,
    `Pourquoi ${names.join(' et ')} ne sont toujours pas importants pour la plupart des gens`,
    `Por qué ${names.join(' y ')} todavía no son importantes para la mayoría de la gente`,
  ]);
};

describeRecordings('reposts planted among recorded posts and comments', () => {
  it('are folded with a precision of .98 and a recall of .9', () => {
    const recorded = recordedStories();
    const links = recorded.filter(({ links: [link], title }) => {
      const page = link == null ? null : normalLink(link);
      return page !== null && !page.startsWith('reddit.com') && title !== '';
    });
    const texts = recorded.filter(({ text }) => wordsOf(text).length >= LONG_TEXT_WORDS);
    const some = (of: readonly Told[]) => Array.from({ length: PLANTED_OF_EACH_KIND }, () => pick(of));
    let number = 0;
    const plant = (story: Omit<Told, 'id'>): Told => ({ ...story, id: `planted_${(number += 1)}` });
    const own = () => `${ORIGIN}/r/other/comments/planted${number}/`;
    const reposts = [
      ...some(links).map(({ group, title, links: [link] }) =>
        plant({ group, title: edited(title), text: '', links: [tracked(link!), own()] }),
      ),
      ...some(texts).map(({ group, title, text }) =>
        plant({ group, title: edited(title), text: changed(text), links: [own()] }),
      ),
      ...some(recorded.filter(({ title }) => title !== '')).map(({ group, title, links: [, permalink] }) =>
        plant({ group, title, text: '', links: [permalink!, own()] }),
      ),
    ];
    const others = some(links).map(({ title, links: [link] }) =>
      plant({ group: `translation ${number}`, title: translated(title), text: '', links: [link!, own()] }),
    );
    const stream = [...recorded, ...[...reposts, ...others].sort(() => random() - 0.5)];
    const keys = new Map(stream.map((story) => [story.id, storyKeys(story)]));
    const matches: FreshMatch[] = stream.map(({ id }) => ({ id, alertId: 'a', postId: id }));
    const folds = new Map(
      foldStories(matches, similarRecords(keys, []), []).map(({ id, into }) => [id, into]),
    );

    const byId = new Map(stream.map((story) => [story.id, story]));
    const storyOf = (id: string): string => folds.get(id) ?? id;
    // The original of a planted repost may itself be a repost of a recorded post.
    const planted = [...folds].filter(([id]) => id.startsWith('planted_'));
    const found = planted.filter(([id, into]) => storyOf(byId.get(id)!.group) === storyOf(into)).length;
    const figures = { precision: found / planted.length, recall: found / reposts.length };
    process.stdout.write(
      `${JSON.stringify({ stream: stream.length, folds: folds.size, planted: planted.length, ...figures })}\n`,
    );
    expect(figures.precision).toBeGreaterThanOrEqual(0.98);
    expect(figures.recall).toBeGreaterThanOrEqual(0.9);
  });
});

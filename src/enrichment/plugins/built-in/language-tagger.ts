import { wordsOf } from '../../text/tokens.js';
import type { PluginItem, ScrapePlugin } from '../plugin.js';

/** Scripts that are mostly used by one language. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Cyrillic}/u, 'ru'],
];

/** Letters of a second language that uses the script. */
const OWN_LETTERS: Readonly<Record<string, readonly [RegExp, string]>> = {
  ar: [/[\u067e\u0686\u0698\u06af]/u, 'fa'],
  ru: [/[іїєґ]/iu, 'uk'],
};

/** Most common short words of languages in Latin script. */
const WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en:
      'the and is are you that this with for was have not what but they just my of to in it do a i as ' +
      'on at be by we he she an or if so me no can would there their will when who more all your like ' +
      'get from',
    de:
      'der die das und ist nicht ich ein eine mit auf für von sie wir auch dem den zu aber wie noch ' +
      'kann mir diesem dieser es im war hat haben bei oder wenn nur doch um aus kein keine jemand was ' +
      'mein habe bin sehr man',
    fr:
      'le la les et est pas que je une des dans pour vous avec sur mais ce qui au il du nous ne ça ' +
      'cette ces ai a à y en par si ou ont suis vraiment cela comme tout avez être',
    es:
      'el los las que es una por con para como pero del se lo muy más está son mi te su no esto este ' +
      'esta me ha si ya cuando todo a alguien puede qué desde al ese esa tiene porque hay',
    it:
      'il che di non è una per con sono gli della mi anche più ho come questo ma lo del ti perché nel ' +
      'alla ha si io qualcuno può questa le la da in sei hai molto e',
    pt:
      'que não uma com para os as mas como por mais você é dos ele isso eu do da em esse essa me ao na ' +
      'no foi tem pode alguém desde se meu minha muito também ser está são e o a',
    nl:
      'de het een en is niet dat ik van op te voor met zijn maar ook er je aan wat kan iemand mij deze ' +
      'dit die waarom bij of wel geen naar meer heb was uit om',
    pl:
      'nie się jest na to że do jak ale czy co tak po od tym już za był tylko dlaczego mi mnie tego z ' +
      'w i o ktoś może mam jestem bardzo być dla',
    sv:
      'och att det är jag som en inte på för med har av om ett men så den vi kan mig här någon varför ' +
      'hade till från vara också mycket du han hon ska kommer bara',
    tr:
      'bir ve bu için çok ne da de ama gibi daha var mı ben sen kadar değil ile olarak bunun bana biri ' +
      'mi ya şu neden olan bunu beni benim çünkü şey nasıl sonra',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

const FEWEST_WORDS = 4;
const FEWEST_HITS = 2;
const MAX_LENGTH = 2_000;

/** ISO 639-1 code of the most likely language of a text; null when the evidence is too weak. */
export function languageOf(text: string): string | null {
  const head = text.slice(0, MAX_LENGTH).replace(/https?:\/\/\S+/g, ' ');
  const letters = head.match(/\p{L}/gu) ?? [];
  for (const [script, language] of SCRIPTS) {
    const own = letters.filter((letter) => script.test(letter)).length;
    if (own === 0 || own * 3 < letters.length) continue;
    const [letter, other] = OWN_LETTERS[language] ?? [];
    return letter?.test(head) ? other! : language;
  }
  // Short French and Italian words occur before an apostrophe.
  const words = wordsOf(head).flatMap((word) => word.split("'"));
  if (words.length < FEWEST_WORDS) return null;
  const hits = Object.entries(WORDS)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [best, second] = hits as [(typeof hits)[0], (typeof hits)[0]];
  return best.count >= FEWEST_HITS && best.count > second.count ? best.language : null;
}

function annotate<T>(batch: PluginItem<T>[], textOf: (record: T) => string): PluginItem<T>[] {
  for (const { record, annotations } of batch) {
    const language = languageOf(textOf(record));
    if (language !== null) annotations.language = language;
  }
  return batch;
}

/** Plugin that annotates the language. */
export const languageTagger: ScrapePlugin = {
  name: 'language_tagger',
  description:
    'Stores the language of a post or comment as `language`, an ISO 639-1 code, if it can be detected.',
  onPosts: (batch) => annotate(batch, (post) => `${post.title} ${post.selftext}`),
  onComments: (batch) => annotate(batch, (comment) => comment.body),
};

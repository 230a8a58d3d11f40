import { detect } from '../../text/language/detect-language.js';
import { plainText } from '../text/markup.js';
import { tokenize } from '../text/tokens.js';
import { WordTable } from '../text/word-table.js';
import { SentimentScorer } from './sentiment-scorer.js';

describe('SentimentScorer', () => {
  const scorer = SentimentScorer.load();
  const words = new WordTable();
  const tokensOf = (text: string) => tokenize(plainText(text), words);
  const score = (text: string, title = '') => scorer.score(tokensOf(title), tokensOf(text), detect(text));

  it.each([
    ['Thank you so much, this is wonderful!', 'positive'],
    ['Congrats, you deserve it', 'positive'],
    ['lol that made my day :D', 'positive'],
    ['This is terrible, I hate it.', 'negative'],
    ["I don't like this at all, what a waste of money", 'negative'],
    ['Worst update ever, everything is broken', 'negative'],
    ['It is not bad at all', 'positive'],
    ['not worth the money', 'negative'],
    ['The meeting is on Tuesday at the office.', 'neutral'],
    ['Is the store open on Sunday?', 'neutral'],
  ])('%j is %s', (text, label) => {
    expect(score(text).label).toBe(label);
  });

  it.each([
    ['a negation', 'This is good', 'This is not good'],
    ['a face', 'see you tomorrow :)', 'see you tomorrow :('],
    ['a picture', 'my week 😍', 'my week 😡'],
  ])('scores %s', (_what, better, worse) => {
    expect(score(better).score).toBeGreaterThan(score(worse).score);
  });

  it.each([
    ['a long text outweighs', 30, -1],
    ['a title outweighs a text as long as', 1, 1],
  ])('mixes title and text by their lengths: %s its other part', (_, times, sign) => {
    const [good, bad] = ['I love it, best ever', 'Awful, I hate this'];
    for (const [title, text, one] of [
      [good, bad, sign],
      [bad, good, -sign],
    ] as const)
      expect(Math.sign(score(`${text}. `.repeat(times), title).score)).toBe(one);
  });

  it.each([
    ['I love it!!! Best ever, amazing!!!', 1],
    ['Awful!!! I hate it, worst garbage ever!!!', -1],
  ])('scores what all signs agree on no further than the bound: %s', (text, bound) => {
    expect(score(text).score).toBe(bound);
  });

  it('does not count quoted lines, code and addresses as the writer’s words', () => {
    const own = score('I bought the blue one.');
    expect(score('> I hate this awful garbage\n\nI bought the blue one.')).toEqual(own);
    expect(score('I bought the blue one.\n```\nhate awful garbage\n```')).toEqual(own);
  });

  it.each([
    ['Das ist der größte Mist, so ein schlechter Film 😡', 'negative'],
    ['Ich freue mich so, danke, das ist wunderschön 😍', 'positive'],
    ['Qué asco de servicio, odio esto, es horrible', 'negative'],
    ['Gracias, me encanta, qué feliz estoy 😍', 'positive'],
    ["C'est nul, quelle honte, je déteste ce film 😡", 'negative'],
    ['Merci, bravo, bonne idée, c’est magnifique 😍', 'positive'],
    ['Che schifo, vergogna, siete ridicoli 😡', 'negative'],
    ['Grazie mille, che bello, sono felice 😍', 'positive'],
    ['Que vergonha, isso é um lixo, odeio 😡', 'negative'],
    ['Obrigada, que lindo, amo demais 😍', 'positive'],
    ['هذا سيء جدا، أكره هذا الفيلم 😡', 'negative'],
    ['شكرا، هذا رائع وجميل، أنا سعيد 😍', 'positive'],
  ])('scores other languages: %j is %s', (text, label) => {
    expect(score(text).label).toBe(label);
  });

  it.each([
    'Bu filmi çok sevdim',
    'To jest bardzo zły film, nie polecam',
    'Мне очень понравился этот фильм',
    'これは最高の映画です',
    '이 영화 정말 좋아요',
  ])('is neutral for a language on which it was not trained: %s', (text) => {
    expect(score(text)).toEqual({ score: 0, label: 'neutral' });
  });

  it.each(['love it', 'nope', 'ugh', 'yay!', 'so cool', 'Great pho at Nguyen’s, gracias!'])(
    'still scores short English: %s',
    (text) => {
      expect(score(text).score).not.toBe(0);
    },
  );
});

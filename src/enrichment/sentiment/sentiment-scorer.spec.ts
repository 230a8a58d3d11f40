import { plainText } from '../text/markup.js';
import { tokenize } from '../text/tokens.js';
import { WordTable } from '../text/word-table.js';
import { SentimentScorer } from './sentiment-scorer.js';

describe('SentimentScorer', () => {
  const scorer = SentimentScorer.load();
  const words = new WordTable();
  const score = (text: string) => scorer.score([], tokenize(plainText(text), words));

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
    'Das ist der größte Mist, den ich je gesehen habe',
    'Este producto es una mierda, no lo compres',
    'Je déteste ce film, c’est nul',
    'Questo ristorante è fantastico',
    'Isso é uma vergonha',
    'Bu filmi çok sevdim',
    'To jest bardzo zły film, nie polecam',
    'Мне очень понравился этот фильм',
    'これは最高の映画です',
    '이 영화 정말 좋아요',
    'أنا أحب هذا الفيلم',
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

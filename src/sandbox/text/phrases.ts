import type { Subject } from '../data/forums.js';

/** The sentiment with which a text is generated. */
export type Mood = 'positive' | 'negative' | 'neutral';

/** Title templates by subject and mood. */
export const TITLES: Record<Subject, Record<Mood, readonly string[]>> = {
  technology: {
    positive: [
      '{body} praises {thing}, and the numbers are {good}',
      'After {number} {unit} I still {like} {product}',
      '{product} turns out to be {good}',
      '{maker} finally fixes {thing} and it is {good}',
      'Why {thing} is the most hopeful news from {place} this year',
    ],
    negative: [
      '{product} is {bad} after the latest update',
      '{maker} leaks customer data again, users furious about {thing}',
      'I {dislike} {thing} and here is why',
      '{body} sues {maker} over {thing}',
      'Outage at {maker} leaves {place} without service, support is {bad}',
    ],
    neutral: [
      '{body} {act} {thing} in {place}',
      '{maker} announces {number} changes to {thing}',
      'How {thing} works, explained in {number} pictures',
      'What do you use for {thing} in 2026?',
      '{maker} & {body}: who pays for {thing}?',
      '{product} is {plainly}',
    ],
  },
  programming: {
    positive: [
      '{thing} made {product} {good}',
      'I {like} {thing}, a love letter',
      '{body} {act} {thing} and the result is {good}',
      'We cut our latency by {number}0 % with {thing}',
    ],
    negative: [
      '{thing} is {bad} and we should admit it',
      'I {dislike} {thing}',
      'How {thing} took down production for {number} hours',
      '{product} keeps failing, the errors are {bad}',
    ],
    neutral: [
      '{body} {act} {thing}',
      'Ask: how do you handle {thing} with {maker}?',
      '{thing} in {maker}: notes after {number} {unit}',
      'if (a < b && b > c): reading {maker} source on {thing}',
      '{number} ways to test {thing}',
    ],
  },
  questions: {
    positive: [
      'What is the most {good} thing about {thing}?',
      'Who taught you to {enjoy} {thing}?',
      'People who {enjoy} {thing}: what makes you happy?',
    ],
    negative: [
      'What is {bad} about {thing} that nobody admits?',
      'Why do so many people {avoid} {thing}?',
      'What was your most {bad} experience with {thing}?',
    ],
    neutral: [
      'How did {thing} change in {number} {unit}?',
      'What would {body} say about {thing}?',
      'What do you remember of {thing} in {place}?',
      '[Serious] How do you deal with {thing}?',
    ],
  },
  pictures: {
    positive: [
      '{thing}, and the light was {good} [OC]',
      'So happy with {product}: {thing}',
      '{body} {act} {thing}, {good}',
    ],
    negative: ['{thing} after the flood in {place}, {bad} news for everyone', 'Sad to see {thing} go'],
    neutral: [
      '{thing}, {place}',
      '{thing}, taken with {maker}',
      '{number} {unit} apart: {thing}',
      '{thing} [{number}000 x {number}00]',
    ],
  },
};

/** Sentence templates of post bodies and longer comments. */
export const SENTENCES: Record<Mood, readonly string[]> = {
  positive: [
    'Honestly, {product} is {good}.',
    'I {like} {thing}, more every week.',
    'This made my day, thank you for sharing!',
    'Best decision I made in {number} {unit}.',
    '{person} showed me {thing} and it was {good}.',
    'Support answered in {number} minutes, they were kind and helpful.',
    'Great work, I am really glad this exists.',
  ],
  negative: [
    '{product} is {bad}, I want my money back.',
    'I {dislike} {thing}.',
    'It failed after {number} {unit} and nobody cares.',
    'What a terrible idea, this will hurt people.',
    'The experience was {bad} from the first day.',
    '{person} lost everything because of {thing}.',
    'Another broken promise from {maker}.',
  ],
  neutral: [
    '{product} is {plainly}.',
    'In {place} it took {number} {unit}.',
    'Does anyone know how {thing} is handled elsewhere?',
    '{body} {act} {thing} every {number} {unit}.',
    'I wrote down {number} notes about {thing}.',
    'The report has {number} pages; {thing} is on page {number}.',
    '{person} works on {thing} in {place}.',
  ],
};

/** Templates of a comment's first sentence. */
export const REMARKS: Record<Mood, readonly string[]> = {
  positive: [
    'This is {good}.',
    'Agreed, {thing} is {good}!',
    'I {like} it. Thanks! 😊',
    'Congratulations, well deserved.',
    'Same here: {product} has been {good} for {number} {unit}.',
    'LOVE this!!!',
    'not bad at all, {thing} works really well',
  ],
  negative: [
    'This is {bad}.',
    'Sorry, but {thing} is {bad}.',
    'I {dislike} {product}. Never again.',
    'No. Just no. 😡',
    'What a scam.',
    "it isn't good, it wasn't good before, and it won't be good next year",
    'Useless. {product} broke after {number} {unit}.',
  ],
  neutral: [
    'Source?',
    'Is this the one from {place}?',
    'It was {number} {unit} ago, I think.',
    'They mean {thing}, not {product}.',
    'See also https://news.example/{place}/{number}',
    'Same question about {thing}.',
    'For comparison: {place} has {number}.',
    'The second paragraph answers that.',
    '👀',
    'What happened to {maker}?',
  ],
};

/** Whole texts with Markdown in them. */
export const MARKDOWN: readonly string[] = [
  '**Short version:** {thing} matters.\n\n* first, {product}\n* then, {thing}\n* and {number} {unit} of waiting\n\n> {person} said so\n\nSee [the notes](https://docs.example/notes?a=1&b=2).',
  '# What I tried\n\n1. {thing}\n2. {product}\n3. giving up\n\n`if (a < b && c > d) return;`\n\nEdit: thanks for the answers!',
  'Some background first.\n\n---\n\n*{thing}* and ~~{product}~~ are not the same.\n\n&#x200B;\n\nhttps://forum.example/{number}?q={number}&page=2',
];

/** Whole texts in languages other than English. */
export const FOREIGN: readonly string[] = [
  'Wie geht ihr mit dem Datenschutz um? Ich bin von dem neuen Gerät wirklich begeistert.',
  'La batería dura muy poco y el servicio es malísimo. ¿Alguien más?',
  'Je trouve cette mise à jour vraiment réussie, bravo à toute l’équipe !',
  'Alguém sabe se a atualização já chegou ao Porto?',
  'Кто-нибудь уже пробовал новую прошивку? У меня всё работает.',
  '新しいカメラを買いました。とても気に入っています。',
  'Czy ktoś może polecić dobry router do małego mieszkania?',
  'Il nuovo aggiornamento è pessimo, non funziona più niente.',
];

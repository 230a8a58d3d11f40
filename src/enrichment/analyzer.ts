import { type PostAnalysis, type Sentiment } from './enrichment.js';
import { KeywordExtractor } from './keywords/keyword-extractor.js';
import { type WorkspaceFrequencies } from './keywords/workspace-frequencies.js';
import { SentimentScorer } from './sentiment/sentiment-scorer.js';
import { plainText } from './text/markup.js';
import { withSpaces } from './text/segmenter.js';
import { tokenize, type Token } from './text/tokens.js';
import { isGone } from '../text/gone-text.js';
import { type Detection } from '../text/language/detect-language.js';
import { languageOf } from '../text/language/stated-language.js';
import { WordTable } from './text/word-table.js';

/** Maximum number of characters read from a text, which bounds the time for any text. */
const MAX_CHARACTERS = 12_000;

/** Tokens of a post. */
export interface PostTokens {
  title: Token[];
  body: Token[];
}

/** Language, sentiment and keywords of platform texts. Time is linear in their length; no text makes it throw. */
export class TextAnalyzer {
  constructor(
    private readonly words: WordTable,
    private readonly sentiment: SentimentScorer,
    private readonly keywords: KeywordExtractor,
  ) {}

  /** Reads weights and frequencies from the files next to the code. @throws Error when one is missing or damaged */
  static load(): TextAnalyzer {
    const words = new WordTable();
    return new TextAnalyzer(words, SentimentScorer.load(), KeywordExtractor.load(words));
  }

  /** Language, sentiment and keywords of a post. The `frequencies` of its workspace are only read. */
  analyzePost(title: string, selftext: string, frequencies?: WorkspaceFrequencies): PostAnalysis {
    const found = this.languageOfPost(title, selftext);
    const tokens = this.tokensOf(title, selftext, found.language);
    return {
      language: found.language,
      sentiment: this.sentimentOf(tokens, found),
      keywords: this.phrasesOf(tokens, found.language, frequencies).keywords,
    };
  }

  /** Language of a post; `stated` are the languages that the platform states. */
  languageOfPost(title: string, selftext: string, stated?: readonly string[]): Readonly<Detection> {
    return languageOf(isGone(selftext) ? title : `${title}\n${selftext}`, stated);
  }

  /** Language of a comment; `stated` are the languages that the platform states. */
  languageOfComment(body: string, stated?: readonly string[]): Readonly<Detection> {
    return languageOf(body, stated);
  }

  /** Sentiment of a comment in the language `found`. */
  scoreComment(body: string, found = this.languageOfComment(body)): Sentiment {
    return this.sentiment.score([], this.tokens(body, found.language), found);
  }

  /** Tokens of a post in a language, for the methods below. */
  tokensOf(title: string, selftext: string, language: string): PostTokens {
    return { title: this.tokens(title, language), body: this.tokens(selftext, language) };
  }

  /** Sentiment of a post in the language `found`. */
  sentimentOf(tokens: PostTokens, found: Readonly<Detection>): Sentiment {
    return this.sentiment.score(tokens.title, tokens.body, found);
  }

  /** Keywords of a post in a language, best first, and the hashes of all its distinct phrases. */
  phrasesOf(
    tokens: PostTokens,
    language: string,
    frequencies?: WorkspaceFrequencies,
  ): { keywords: string[]; phraseKeys: Uint32Array } {
    return this.keywords.extract(tokens.title, tokens.body, language, frequencies);
  }

  private tokens(text: string, language: string): Token[] {
    if (isGone(text)) return [];
    return tokenize(withSpaces(plainText(text.slice(0, MAX_CHARACTERS)), language), this.words);
  }
}

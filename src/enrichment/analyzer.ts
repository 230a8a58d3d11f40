import { type PostAnalysis, type Sentiment } from './enrichment.js';
import { KeywordExtractor } from './keywords/keyword-extractor.js';
import { type WorkspaceFrequencies } from './keywords/workspace-frequencies.js';
import { isGone, SentimentScorer } from './sentiment/sentiment-scorer.js';
import { plainText } from './text/markup.js';
import { tokenize, type Token } from './text/tokens.js';
import { WordTable } from './text/word-table.js';

/** What a text is about is said by here; it bounds the time that any text can cost. */
const MOST_CHARACTERS = 12_000;

/** Sentiment and keywords of platform texts. Time is linear in their length; nothing that is text throws. */
export class TextAnalyzer {
  constructor(
    private readonly words: WordTable,
    private readonly sentiment: SentimentScorer,
    private readonly keywords: KeywordExtractor,
  ) {}

  /** Reads weights and frequencies from the files beside the code. @throws Error when one is missing or damaged */
  static load(): TextAnalyzer {
    const words = new WordTable();
    return new TextAnalyzer(words, SentimentScorer.load(), KeywordExtractor.load(words));
  }

  /** `frequencies` are read only; see {@link learnPost}. */
  analyzePost(title: string, selftext: string, frequencies?: WorkspaceFrequencies): PostAnalysis {
    const head = this.tokens(title);
    const body = this.tokens(selftext);
    return {
      sentiment: this.sentiment.score(head, body),
      keywords: this.keywords.extract(head, body, frequencies),
    };
  }

  scoreComment(body: string): Sentiment {
    return this.sentiment.score([], this.tokens(body));
  }

  /** Counts a post's phrases into its workspace's frequencies; call it once for each new post. */
  learnPost(title: string, selftext: string, frequencies: WorkspaceFrequencies): void {
    frequencies.observe(this.keywords.keys(this.tokens(title), this.tokens(selftext)));
  }

  private tokens(text: string): Token[] {
    return isGone(text) ? [] : tokenize(plainText(text.slice(0, MOST_CHARACTERS)), this.words);
  }
}

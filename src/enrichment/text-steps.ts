import type { TextAnalyzer } from './analyzer.js';
import type { CommentDraft, EnrichmentStep, PostDraft } from './enrichment-step.js';
import type { WorkspaceFrequencies } from './keywords/workspace-frequencies.js';

/** Scores posts and comments. */
export class SentimentStep implements EnrichmentStep {
  readonly name = 'sentiment';

  constructor(private readonly analyzer: TextAnalyzer) {}

  post(draft: PostDraft): PostDraft {
    const tokens = this.analyzer.tokensOf(draft.post.title, draft.post.selftext);
    return { ...draft, tokens, sentiment: this.analyzer.sentimentOf(tokens) };
  }

  comment(draft: CommentDraft): CommentDraft {
    return { ...draft, sentiment: this.analyzer.scoreComment(draft.comment.body) };
  }
}

/** Chooses the keywords of posts and collects their phrases. The workspace's `frequencies` are only read. */
export class KeywordStep implements EnrichmentStep {
  readonly name = 'keywords';

  constructor(
    private readonly analyzer: TextAnalyzer,
    private readonly frequencies?: WorkspaceFrequencies,
  ) {}

  post(draft: PostDraft): PostDraft {
    const tokens = draft.tokens ?? this.analyzer.tokensOf(draft.post.title, draft.post.selftext);
    const { keywords, phraseKeys } = this.analyzer.phrasesOf(tokens, this.frequencies);
    return { ...draft, tokens, keywords, phraseKeys };
  }
}

import type { TextAnalyzer } from './analyzer.js';
import type { CommentDraft, EnrichmentStep, PostDraft } from './enrichment-step.js';
import type { WorkspaceFrequencies } from './keywords/workspace-frequencies.js';

/** The steps that analyse texts, in their order. Keywords depend on the phrases of a workspace where its `frequencies` are given. */
export function textSteps(analyzer: TextAnalyzer, frequencies?: WorkspaceFrequencies): EnrichmentStep[] {
  return [new LanguageStep(analyzer), new SentimentStep(analyzer), new KeywordStep(analyzer, frequencies)];
}

/** Finds the language of posts and comments. */
export class LanguageStep implements EnrichmentStep {
  readonly name = 'language';

  constructor(private readonly analyzer: TextAnalyzer) {}

  post(draft: PostDraft): PostDraft {
    const { title, selftext, languages } = draft.post;
    return { ...draft, language: this.analyzer.languageOfPost(title, selftext, languages) };
  }

  comment(draft: CommentDraft): CommentDraft {
    const { body, languages } = draft.comment;
    return { ...draft, language: this.analyzer.languageOfComment(body, languages) };
  }
}

/** Scores posts and comments in their language. */
export class SentimentStep implements EnrichmentStep {
  readonly name = 'sentiment';

  constructor(private readonly analyzer: TextAnalyzer) {}

  post(draft: PostDraft): PostDraft {
    const tokens = this.analyzer.tokensOf(draft.post.title, draft.post.selftext, draft.language.language);
    return { ...draft, tokens, sentiment: this.analyzer.sentimentOf(tokens, draft.language) };
  }

  comment(draft: CommentDraft): CommentDraft {
    return { ...draft, sentiment: this.analyzer.scoreComment(draft.comment.body, draft.language) };
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
    const { language } = draft.language;
    const tokens = draft.tokens ?? this.analyzer.tokensOf(draft.post.title, draft.post.selftext, language);
    const { keywords, phraseKeys } = this.analyzer.phrasesOf(tokens, language, this.frequencies);
    return { ...draft, tokens, keywords, phraseKeys };
  }
}

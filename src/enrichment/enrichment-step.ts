import type { PlatformComment, PlatformPost } from '../platforms/platform.js';
import { UNKNOWN_LANGUAGE, type Detection } from '../text/language/detect-language.js';
import type { Sentiment } from './enrichment.js';
import type { Token } from './text/tokens.js';

/** A post on its way from the platform to the database, with the fields that earlier steps added. */
export interface PostDraft {
  post: PlatformPost;
  /** Data of plugins by name. */
  annotations: Record<string, unknown>;
  language: Readonly<Detection>;
  sentiment: Sentiment;
  keywords: string[];
  /** Hashes of the post's distinct phrases; the workspace's phrase frequencies count them. */
  phraseKeys: Uint32Array;
  /** Tokens of title and body: created by the first step that reads the text, shared by those after it. */
  tokens: { title: Token[]; body: Token[] } | null;
}

/** A comment on its way from the platform to the database, with the fields that earlier steps added. */
export interface CommentDraft {
  comment: PlatformComment;
  /** Data of plugins by name. */
  annotations: Record<string, unknown>;
  language: Readonly<Detection>;
  sentiment: Sentiment;
}

/** Names of the steps, in the order in which they run. */
export const ENRICHMENT_STEPS = ['plugins', 'language', 'sentiment', 'keywords'] as const;
export type EnrichmentStepName = (typeof ENRICHMENT_STEPS)[number];

/** A step that processes one text at a time and returns the draft for the next step. */
export interface EnrichmentStep {
  readonly name: EnrichmentStepName;
  post(draft: PostDraft): PostDraft;
  /** Absent when the step does not process comments. */
  comment?(draft: CommentDraft): CommentDraft;
}

const NO_SENTIMENT: Sentiment = { score: 0, label: 'neutral' };
const NO_KEYS = new Uint32Array();

/** The draft of a post before the first step. */
export function draftOfPost(post: PlatformPost): PostDraft {
  return {
    post,
    annotations: {},
    language: UNKNOWN_LANGUAGE,
    sentiment: NO_SENTIMENT,
    keywords: [],
    phraseKeys: NO_KEYS,
    tokens: null,
  };
}

/** The draft of a comment before the first step. */
export function draftOfComment(comment: PlatformComment): CommentDraft {
  return { comment, annotations: {}, language: UNKNOWN_LANGUAGE, sentiment: NO_SENTIMENT };
}

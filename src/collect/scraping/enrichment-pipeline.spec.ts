import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PluginStep } from '../../enrichment/plugins/plugin-step.js';
import { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import { KeywordStep, LanguageStep, SentimentStep } from '../../enrichment/text-steps.js';
import type { PlatformComment } from '../../platforms/platform.js';
import { EnrichmentPipeline } from './enrichment-pipeline.js';
import { StepTimings } from './step-timings.js';

const COMMENTS = 100;
const WORDS = 2_000;

/** Every word is unique to this text, so that nothing of it is cached. */
function hugeComment(at: number): PlatformComment {
  return {
    id: `t1_${at}`,
    postId: 't3_a',
    forum: 'a',
    postPermalink: '/r/a/comments/a/',
    parentId: 't3_a',
    author: 'someone',
    body: Array.from({ length: WORDS }, (_one, word) => `w${at}x${word}`).join(' '),
    score: 1,
    createdUtc: new Date(0),
    depth: 0,
    isSubmitter: false,
  };
}

describe('EnrichmentPipeline', () => {
  it('does not block the event loop while it analyses a hundred huge texts', async () => {
    const noPlugins = new PluginRunner();
    const analyzer = TextAnalyzer.load();
    const enrichment = new EnrichmentPipeline(
      new PluginStep(noPlugins),
      [new LanguageStep(analyzer), new SentimentStep(analyzer), new KeywordStep(analyzer)],
      new StepTimings(),
    );
    let turns = 0;
    let done = false;
    const countTurns = (): void => {
      turns++;
      if (!done) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const comments = Array.from({ length: COMMENTS }, (_one, at) => hugeComment(at));
    const rows = await enrichment.comments(comments, new Date(0));
    done = true;
    expect(rows.map((row) => row.commentId)).toEqual(
      Array.from({ length: COMMENTS }, (_one, at) => `t1_${at}`),
    );
    // A million characters take many slices of 20 ms on any machine.
    expect(turns).toBeGreaterThan(2);
  });
});

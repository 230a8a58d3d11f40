import type { RecordedAnswer, RecordedSource } from '../../src/cli/source-check/recorded-source.js';

/** A source whose answers are asked for once, until its records are deleted. */
export function remembering(recorded: RecordedSource): RecordedSource {
  const { deletions } = recorded;
  const answers = new Map<string, Promise<RecordedAnswer>>();
  return {
    ...recorded,
    answer: (...request) => {
      const key = JSON.stringify(request);
      const answer = answers.get(key) ?? recorded.answer(...request);
      answers.set(key, answer);
      return answer;
    },
    deletions: deletions && {
      ...deletions,
      delete: () => deletions.delete().finally(() => answers.clear()),
    },
  };
}

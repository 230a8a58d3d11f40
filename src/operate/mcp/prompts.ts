import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** A task that a person chooses in the assistant, with the arguments that the assistant asks for. */
interface Prompt {
  name: string;
  title: string;
  description: string;
  input: Record<string, z.ZodType<string | undefined>>;
  text(input: Record<string, string | undefined>): string;
}

const CITE = 'Cite each statement with the `link` of its post or comment, and say how many there are in all.';

/** The prompts of `/mcp`, in the order of their list. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'what_people_said',
    title: 'What did people say?',
    description: 'A summary of the last days about a subject, with numbers and links.',
    input: {
      about: z.string().min(1).max(200).describe('Name, product or subject'),
      days: z
        .string()
        .regex(/^\d{1,3}$/)
        .optional()
        .describe('Number of days; 7 unless given'),
    },
    text: ({ about, days = '7' }) =>
      `What did people say about ${JSON.stringify(about)} in the last ${days} days? Find posts and comments with search_posts and \
search_comments (\`created_after\`), count them by day and by sentiment with count_over_time, and read the longest threads with \
get_thread. Report the main opinions, what changed, and who disagrees. ${CITE}`,
  },
  {
    name: 'triage_inbox',
    title: 'Triage my mentions',
    description: 'The new mentions that need an answer, most urgent first.',
    input: { alert: z.string().max(255).optional().describe('Name of one alert; all unless given') },
    text: ({ alert }) =>
      `Read the new matches${alert === undefined ? ' of all alerts' : ` of the alert ${JSON.stringify(alert)} (see list_alerts)`} with \
list_matches (\`state: "new"\`). Divide them into those to answer, to watch and to dismiss, most urgent first, each with a reason \
in one line. Change nothing. ${CITE}`,
  },
];

/** Adds the prompts to a server. */
export function addPrompts(server: McpServer): void {
  for (const prompt of PROMPTS)
    server.registerPrompt(
      prompt.name,
      { title: prompt.title, description: prompt.description, argsSchema: prompt.input },
      (given) => ({
        messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }],
      }),
    );
}

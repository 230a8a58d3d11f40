import type pg from 'pg';
import { Violation } from '../violation.js';

/** Each selects a sentence for every row that breaks a rule which holds after every commit. */
const RULES = [
  `SELECT 'Workspace ' || workspace_id || ' has more pending jobs than its quota' FROM jobs
   WHERE status = 'pending' GROUP BY workspace_id HAVING count(*) > $1::int`,
  `SELECT 'Schedule ' || id || ' is due again for a time that is recorded' FROM schedules
   WHERE is_active AND next_run_at <= (SELECT max(due_at) FROM schedule_runs
     WHERE schedule_runs.workspace_id = schedules.workspace_id AND schedule_id = schedules.id)`,
  `SELECT 'Schedule ' || schedule.id || ' has two unfinished jobs' FROM schedules AS schedule
   JOIN jobs ON jobs.workspace_id = schedule.workspace_id AND jobs.schedule_id = schedule.id
   WHERE status IN ('pending', 'running') AND schedule.config->>'overlap' = 'skip' GROUP BY schedule.id HAVING count(*) > 1`,
  `SELECT 'Job ' || id || ' is ' || status || ' and has a number of executions that is ' || executions FROM (
     SELECT id, status, (SELECT count(*) FROM job_executions AS execution
       WHERE execution.workspace_id = jobs.workspace_id AND job_id = jobs.id) AS executions FROM jobs) AS job
   WHERE executions <> CASE WHEN status = 'running' THEN 1 ELSE 0 END`,
  `SELECT 'Job ' || id || ' counts ' || posts_scraped || ' posts while it runs' FROM jobs
   JOIN LATERAL (SELECT count(*) AS listed FROM job_posts
     WHERE job_posts.workspace_id = jobs.workspace_id AND job_id = jobs.id) AS list ON true
   WHERE status = 'running' AND (posts_scraped < listed OR posts_scraped > listed + (SELECT count(*) FROM simulated.stored
     WHERE kind = 'posts' AND stored.workspace_id = jobs.workspace_id
       AND NOT EXISTS (SELECT FROM posts WHERE posts.workspace_id = jobs.workspace_id AND posts.id = stored.id)))`,
  `SELECT 'Job ' || id || ' counts ' || comments_scraped || ' comments while it runs' FROM jobs
   JOIN LATERAL (SELECT coalesce(sum(comments), 0) AS listed FROM job_posts
     WHERE job_posts.workspace_id = jobs.workspace_id AND job_id = jobs.id) AS list ON true
   WHERE status = 'running' AND (comments_scraped < listed OR comments_scraped > listed
     AND NOT EXISTS (SELECT FROM erasures WHERE erasures.workspace_id = jobs.workspace_id))`,
  ...['posts', 'comments'].flatMap((kind) => [
    `SELECT 'Workspace ' || id || ' counts ' || counted || ' ${kind} and has ' || present FROM workspaces
     JOIN LATERAL (SELECT coalesce(sum(rows), 0) AS counted FROM ${kind.slice(0, -1)}_count_deltas AS delta
       WHERE delta.workspace_id = workspaces.id) AS counts ON true
     JOIN LATERAL (SELECT count(*) AS present FROM ${kind} WHERE workspace_id = workspaces.id) AS present ON true
     WHERE counted <> present`,
    `SELECT 'Workspace ' || id || ' has erased ' || erased || ' ${kind} and counts ' || counted FROM workspaces
     JOIN LATERAL (SELECT coalesce(sum((removed->>'${kind}')::int), 0) AS counted FROM erasures
       WHERE workspace_id = workspaces.id) AS counts ON true
     JOIN LATERAL (SELECT (SELECT count(*) FROM simulated.stored WHERE kind = '${kind}' AND workspace_id = workspaces.id)
       - (SELECT count(*) FROM ${kind} WHERE workspace_id = workspaces.id) AS erased) AS missing ON true
     WHERE counted <> erased`,
  ]),
  `SELECT 'Post ' || id || ' is of a forum that its workspace does not read' FROM posts WHERE NOT EXISTS (
     SELECT FROM schedules WHERE schedules.workspace_id = posts.workspace_id AND target = forum)`,
  `SELECT 'Comment ' || comment_id || ' has no post' FROM comments WHERE NOT EXISTS (
     SELECT FROM posts WHERE posts.workspace_id = comments.workspace_id AND posts.id = post_id)`,
  `SELECT 'Match ' || match.id || ' is of ' || post_id || ', which its workspace does not store' FROM alert_matches AS match
   WHERE NOT EXISTS (SELECT FROM posts WHERE posts.workspace_id = match.workspace_id AND posts.id = match.post_id)
     AND NOT EXISTS (SELECT FROM comments WHERE comments.workspace_id = match.workspace_id
       AND 'comment:' || comment_id = match.post_id)`,
  `SELECT 'Event ' || id || ' is about a ' || subject_kind || ' that its workspace does not have' FROM outbox_events AS event
   WHERE NOT EXISTS (SELECT FROM (SELECT workspace_id, id FROM jobs UNION ALL SELECT workspace_id, id FROM alerts
     UNION ALL SELECT workspace_id, id FROM reports) AS subject
     WHERE subject.workspace_id = event.workspace_id AND subject.id = subject_id)`,
  `SELECT 'Job ' || id || ' is ' || status || ' without one event of it' FROM jobs
   WHERE status IN ('completed', 'failed') AND 1 <> (SELECT count(*) FROM outbox_events
     WHERE outbox_events.workspace_id = jobs.workspace_id AND subject_id = jobs.id AND type = 'job.' || jobs.status)`,
  `SELECT 'Job ' || job_id || ' ended ' || count(*) || ' times' FROM simulated.ends GROUP BY job_id HAVING count(*) > 1`,
  `SELECT 'Job ' || id || ' is ' || jobs.status || ' after it ended' FROM jobs
   JOIN simulated.ends ON job_id = id AND ends.status <> jobs.status`,
  `SELECT 'Job ' || id || ' shows ' || (progress->>'posts') || ' posts and ' || (progress->>'comments') || ' comments' FROM jobs
   WHERE (progress->>'posts')::int <> posts_scraped OR (progress->>'comments')::int <> comments_scraped`,
  `SELECT 'Job ' || id || ' counts ' || posts_scraped || ' posts of ' || post_limit FROM jobs WHERE posts_scraped > post_limit`,
  `SELECT 'Workspace ' || id || ' has got ' || got || ' posts and its jobs count ' || counted FROM workspaces
   JOIN LATERAL (SELECT coalesce(sum((progress->>'posts_new')::int), 0) AS counted FROM jobs
     WHERE workspace_id = workspaces.id) AS jobs ON true
   JOIN LATERAL (SELECT count(*) AS got FROM simulated.stored
     WHERE kind = 'posts' AND workspace_id = workspaces.id) AS stored ON true WHERE got <> counted`,
  `SELECT 'Alert ' || id || ' has held matches and no digest' FROM alerts
   WHERE digest_due_at IS NULL AND EXISTS (SELECT FROM alert_matches
     WHERE alert_matches.workspace_id = alerts.workspace_id AND alert_id = alerts.id AND is_held)`,
  `SELECT 'Match ' || id || ' counts ' || duplicates || ' reposts' FROM alert_matches AS match
   WHERE duplicates <> (SELECT count(*) FROM alert_matches AS folded
     WHERE folded.workspace_id = match.workspace_id AND folded.folded_into = match.id)`,
  `SELECT 'Delivery ' || delivery.id || ' waits in a queue that is never due' FROM deliveries AS delivery
   LEFT JOIN destination_queues AS queue USING (workspace_id, destination_kind, destination_id)
   WHERE status = 'pending' AND queue.due_at IS NULL`,
  `SELECT 'Delivery ' || id || ' counts ' || attempts || ' attempts of ' || jsonb_array_length(history)
   FROM deliveries WHERE attempts <> jsonb_array_length(history)`,
];

/** Throws when something stored breaks a rule. */
export async function checkAlways(control: pg.Client, pendingJobs: number): Promise<void> {
  const { rows } = await control.query<{ broken: string }>({
    name: 'always',
    text: `SELECT broken FROM (${RULES.join(' UNION ALL ')}) AS rules (broken) LIMIT 1`,
    values: [pendingJobs],
  });
  if (rows[0] !== undefined) throw new Violation(rows[0].broken);
}

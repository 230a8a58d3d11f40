import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { buttonClass } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { homeTexts } from '../../texts/home.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { schedulesTexts } from '../../texts/schedules.ts';

const words = homeTexts.checklist;

/** The steps to the first mentions; the first open one has the button. */
export function Checklist({ posts, schedules }: { posts: number; schedules: number }) {
  const create = { create: 'yes' };
  const steps = [
    {
      title: words.collect,
      hint: words.collected(formatNumber(posts)),
      isDone: posts > 0,
      action: jobsTexts.start,
      to: '/jobs',
    },
    {
      title: words.schedule,
      hint: words.scheduleHint,
      isDone: schedules > 0,
      action: schedulesTexts.create,
      to: '/schedules',
    },
    {
      title: words.alert,
      hint: words.alertHint,
      isDone: false,
      action: alertsTexts.create,
      to: '/alerts',
    },
  ] as const;
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Panel title={words.title}>
      <ol className="grid gap-4 md:grid-cols-3">
        {steps.map(({ title, hint, isDone, action, to }, index) => (
          <li key={to} className="flex gap-2.5">
            {isDone ? (
              <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" />
            ) : (
              <Circle className="mt-0.5 size-4 shrink-0 text-muted" />
            )}
            <div className="min-w-0">
              <p className="font-medium">
                {title}
                {isDone && <span className="sr-only"> ({words.done})</span>}
              </p>
              <p className="mb-2 text-[13px] text-muted">{hint}</p>
              {!isDone && (
                <Link to={to} search={create} className={buttonClass(index === next ? 'primary' : 'plain')}>
                  {action}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

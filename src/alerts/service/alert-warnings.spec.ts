import type { Environment } from '../../config/environment.js';
import { warningsOf } from './alert-warnings.js';

const READY = { SMTP_URL: 'smtp://mail', ALERT_EMAIL_TO: 'a@b.org', JUDGE_URL: 'https://model' };
const ALERT = { channel: 'email', listen: [] as string[], question: null as string | null };
const COLLECTING = { isCollecting: true, reachedLimit: null as number | null };

function codes(
  changed: { alert?: object; config?: object; facts?: object; environment?: object } = {},
): string[] {
  const warnings = warningsOf(
    { ...ALERT, ...changed.alert },
    { ...changed.config },
    { ...COLLECTING, ...changed.facts },
    { ...READY, ...changed.environment } as Environment,
  );
  return warnings.map(({ code }) => code);
}

describe('the warnings of an alert', () => {
  it('are none when nothing is missing', () => {
    expect(codes()).toEqual([]);
    expect(codes({ alert: { listen: ['bluesky'], question: 'Is it about rust?' } })).toEqual([]);
  });

  it('say that nothing new is read, unless it listens', () => {
    const facts = { isCollecting: false };
    expect(codes({ facts })).toEqual(['nothing_listened_to']);
    expect(codes({ facts, alert: { listen: ['bluesky'] } })).toEqual([]);
  });

  it('say what keeps mails from being sent', () => {
    const environment = { SMTP_URL: undefined, ALERT_EMAIL_TO: undefined };
    expect(codes({ environment })).toEqual(['no_mail_server']);
    expect(codes({ environment, alert: { channel: 'slack' } })).toEqual([]);
    const noRecipient = { ALERT_EMAIL_TO: undefined };
    expect(codes({ environment: noRecipient })).toEqual(['no_recipient']);
    expect(codes({ environment: noRecipient, config: { to: null } })).toEqual(['no_recipient']);
    expect(codes({ environment: noRecipient, config: { to: 'c@d.org' } })).toEqual([]);
  });

  it('say that the limit of the day is reached, of an alert that listens', () => {
    const facts = { reachedLimit: 5 };
    expect(codes({ facts, alert: { listen: ['bluesky'] } })).toEqual(['listened_posts_per_day']);
    expect(codes({ facts })).toEqual([]);
  });

  it('say that a question is not asked', () => {
    const environment = { JUDGE_URL: undefined };
    expect(codes({ environment, alert: { question: 'Is it?' } })).toEqual(['no_second_reader']);
    expect(codes({ environment })).toEqual([]);
  });
});

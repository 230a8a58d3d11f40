import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { commonTexts } from '../texts/common.ts';
import { settingsTexts } from '../texts/settings.ts';
import { Time } from './time.tsx';

const words = settingsTexts.keys;

/** The name of an API key with its beginning, scopes and times. */
export function KeyFacts({ apiKey: key, note }: { apiKey: Schemas['ApiKeyDto']; note?: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="font-medium [overflow-wrap:anywhere]">
        {key.name} {note}
      </p>
      <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
        <span className="font-mono">{key.key_prefix}…</span>
        <span>{key.scopes.map((scope) => words.scopeNames[scope]).join(', ')}</span>
        <span>
          {words.created} <Time at={key.created_at} />
        </span>
        <span>
          {words.lastUsed} {key.last_used_at === null ? commonTexts.never : <Time at={key.last_used_at} />}
        </span>
        {key.expires_at != null && (
          <span className={key.is_active ? 'text-warn' : ''}>
            {words.expires} <Time at={key.expires_at} />
          </span>
        )}
      </p>
    </div>
  );
}

import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { commonTexts } from '../texts/common.ts';
import { settingsTexts } from '../texts/settings.ts';
import { Button } from './controls.tsx';
import { Time } from './time.tsx';

const words = settingsTexts.keys;

/** An API key in a list, with what can be done with it while it is valid. */
export function KeyRow({
  apiKey,
  note,
  className,
  children,
}: {
  apiKey: Schemas['ApiKeyDto'];
  note?: ReactNode;
  className: string;
  children: ReactNode;
}) {
  return (
    <li className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm ${className}`}>
      <KeyFacts apiKey={apiKey} note={note} />
      {apiKey.is_active ? children : <span className="text-muted">{words.inactive}</span>}
    </li>
  );
}

export function RevokeButton({ apiKey, onClick }: { apiKey: Schemas['ApiKeyDto']; onClick: () => void }) {
  return (
    <Button look="danger" aria-label={words.revokeKey(apiKey.name)} onClick={onClick}>
      {words.revoke}
    </Button>
  );
}

/** The name of an API key with its beginning, scopes and times. */
function KeyFacts({ apiKey: key, note }: { apiKey: Schemas['ApiKeyDto']; note?: ReactNode }) {
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

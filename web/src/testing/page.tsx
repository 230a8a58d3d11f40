import { resetService } from './service.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { type ReactElement, type ReactNode, useState } from 'react';
import { afterEach } from 'vitest';
import { type Scope, type Session, SessionContext } from '../api/session.ts';
import { discardDrafts } from '../components/use-form.ts';

// Everything is in view, as on a high screen.
globalThis.IntersectionObserver = class {
  constructor(private readonly report: IntersectionObserverCallback) {}
  observe(target: Element): void {
    this.report([{ isIntersecting: true, target } as IntersectionObserverEntry], this as never);
  }
  unobserve(): void {}
  disconnect(): void {}
} as never;

afterEach(() => {
  cleanup();
  discardDrafts();
  resetService();
});

/**
 * Shows a part of a page to a user with a scope, on the page with this address if it reads one; the returned user types
 * and clicks.
 */
export async function show(
  element: ReactElement,
  scope: Scope = 'admin',
  address?: string,
  /** The page's path where it has parameters, such as `/jobs/$jobId`. */
  path: string = address?.split('?')[0] ?? '/',
): Promise<UserEvent> {
  const session = { workspace_id: 'ws1', workspace_name: 'Test', key_prefix: 'wss_test', scopes: [scope] };
  const root = createRootRoute({
    component: address === undefined ? () => element : Outlet,
    notFoundComponent: () => null,
  });
  const initialEntries = [address ?? '/'];
  const page = createRoute({ getParentRoute: () => root, path, component: () => element });
  const routeTree = address === undefined ? root : root.addChildren([page]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries }) });
  await router.load();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session as Session}>
        <RouterProvider router={router as never} />
      </SessionContext>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

/** A button "Open" and what it opens until that closes itself. */
export function Opening({ children }: { children: (onClose: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

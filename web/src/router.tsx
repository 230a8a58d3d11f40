import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Shell } from './layout/shell.tsx';
import { NotFound } from './layout/not-found.tsx';
import { readSearchState } from './pages/search/search-state.ts';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/search', replace: true });
  },
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('./pages/start-page.tsx'), 'StartPage'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readSearchState,
  component: lazyRouteComponent(() => import('./pages/search/search-page.tsx'), 'SearchPage'),
});

const post = createRoute({
  getParentRoute: () => root,
  path: '/posts/$postId',
  component: lazyRouteComponent(() => import('./pages/post/post-page.tsx'), 'PostPage'),
});

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  validateSearch: ({ status, create }: Record<string, unknown>): { status?: string; create?: string } => ({
    ...(typeof status === 'string' && { status }),
    ...(typeof create === 'string' && { create }),
  }),
  component: lazyRouteComponent(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
});

const job = createRoute({
  getParentRoute: () => root,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('./pages/jobs/job-page.tsx'), 'JobPage'),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: (
    given: Record<string, unknown>,
  ): { create?: string; keywords?: string; forum?: string } => ({
    ...(typeof given.create === 'string' && { create: given.create }),
    ...(typeof given.keywords === 'string' && { keywords: given.keywords }),
    ...(typeof given.forum === 'string' && { forum: given.forum }),
  }),
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: ({ create }: Record<string, unknown>): { create?: string } =>
    typeof create === 'string' ? { create } : {},
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, start, search, post, jobs, job, alerts, settings]),
  scrollRestoration: true,
  // Plain names and texts in the address, as people share them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const parameters = new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [[name, String(value)]],
      ),
    ).toString();
    return parameters === '' ? '' : `?${parameters}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  useRouterState,
} from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Shell } from './layout/shell.tsx';
import { NotFound } from './layout/not-found.tsx';
import { PageFailure } from './layout/page-failure.tsx';
import { readAuditState } from './components/audit-state.ts';
import { readTrendsState } from './pages/trends/trends-state.ts';
import { queryClient } from './api/query-client.ts';
import { type Session, sessionQuery } from './api/session.ts';
import { HomePage } from './pages/home/home-page.tsx';
import { readMentionsState } from './pages/mentions/mentions-state.ts';
import { resultsQuery } from './pages/search/search-queries.ts';
import { readSearchState, type SearchState } from './pages/search/search-state.ts';
import { readStoriesState } from './pages/stories/stories-state.ts';

/** `?create=yes` opens the dialog that creates a record, for commands and links. */
const onlyCreate = ({ create }: Record<string, unknown>): { create?: string } =>
  typeof create === 'string' ? { create } : {};

const AdminShell = lazy(() => import('./layout/admin-shell.tsx'));

const SignInByLink = lazy(() => import('./pages/sign-in-by-link.tsx'));

const SharedTrend = lazy(() => import('./pages/shared-trend.tsx'));

const MailLink = lazy(() => import('./pages/mail-link.tsx'));

/** Operators have a session of their own, so that their pages request no other. */
const isOperators = (path: string): boolean => /^\/admin(\/|$)/.test(path);

/** The pages of operators have their own sign-in and navigation; those that links open need neither. */
function Root() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isByMail = path === '/confirm-address' || path === '/unsubscribe';
  const Other =
    path === '/sign-in'
      ? SignInByLink
      : path === '/shared/trends'
        ? SharedTrend
        : isOperators(path)
          ? AdminShell
          : null;
  if (Other === null && !isByMail) return <Shell />;
  return <Suspense>{isByMail ? <MailLink path={path} /> : Other && <Other />}</Suspense>;
}

/** The current session; null without one, undefined when the request failed, which the page then repeats. */
async function readSession(): Promise<Session | null | undefined> {
  await queryClient.prefetchQuery({ ...sessionQuery, retry: false });
  return queryClient.getQueryData(sessionQuery.queryKey);
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  // Runs on every page: index.html requests the session early, and its response is of no use to a later request.
  loader: async ({ location }) => {
    if (!isOperators(location.pathname)) await readSession();
  },
  staleTime: Infinity,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  // Why a sign-in with an account failed.
  validateSearch: ({ problem }: Record<string, unknown>): { problem?: string } =>
    typeof problem === 'string' ? { problem } : {},
  component: HomePage,
});

const mentions = createRoute({
  getParentRoute: () => root,
  path: '/mentions',
  validateSearch: readMentionsState,
  component: lazyRouteComponent(() => import('./pages/mentions/mentions-page.tsx'), 'MentionsPage'),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('./pages/start/start-page.tsx'), 'StartPage'),
});

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in' });

const sharedTrends = createRoute({ getParentRoute: () => root, path: '/shared/trends' });

const confirmAddress = createRoute({ getParentRoute: () => root, path: '/confirm-address' });

const unsubscribe = createRoute({ getParentRoute: () => root, path: '/unsubscribe' });

async function startSearch(state: SearchState): Promise<void> {
  const session = await readSession();
  if (session) await queryClient.prefetchInfiniteQuery(resultsQuery(session.workspace_id, state));
}

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readSearchState,
  // Sends the request before the page is rendered.
  beforeLoad: ({ search: { preview: _preview, ...state } }) => void startSearch(state),
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
  validateSearch: (
    given: Record<string, unknown>,
  ): {
    status?: string | undefined;
    target?: string | undefined;
    mode?: string | undefined;
    create?: string;
  } => ({
    ...onlyCreate(given),
    ...(typeof given.status === 'string' && { status: given.status }),
    ...(typeof given.target === 'string' && { target: given.target }),
    ...(typeof given.mode === 'string' && { mode: given.mode }),
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

const alert = createRoute({
  getParentRoute: () => root,
  path: '/alerts/$alertId',
  // Whether it was created just now.
  validateSearch: ({ created }: Record<string, unknown>): { created?: 'yes' } =>
    created === 'yes' ? { created } : {},
  component: lazyRouteComponent(() => import('./pages/alerts/alert-page.tsx'), 'AlertPage'),
});

const stories = createRoute({
  getParentRoute: () => root,
  path: '/stories',
  validateSearch: readStoriesState,
  component: lazyRouteComponent(() => import('./pages/stories/stories-page.tsx'), 'StoriesPage'),
});

const story = createRoute({
  getParentRoute: () => root,
  path: '/stories/$storyId',
  // The filters of the list in which the story is.
  validateSearch: readStoriesState,
  component: lazyRouteComponent(() => import('./pages/stories/story-page.tsx'), 'StoryPage'),
});

const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  validateSearch: onlyCreate,
  component: lazyRouteComponent(() => import('./pages/reports/reports-page.tsx'), 'ReportsPage'),
});

const report = createRoute({
  getParentRoute: () => root,
  path: '/reports/$reportId',
  component: lazyRouteComponent(() => import('./pages/reports/report-page.tsx'), 'ReportPage'),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: onlyCreate,
  component: lazyRouteComponent(() => import('./pages/schedules/schedules-page.tsx'), 'SchedulesPage'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: onlyCreate,
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const exports = createRoute({
  getParentRoute: () => root,
  path: '/exports',
  // The filters of the search to export.
  validateSearch: (given: Record<string, unknown>): SearchState & { create?: string } => ({
    ...readSearchState(given),
    ...onlyCreate(given),
  }),
  component: lazyRouteComponent(() => import('./pages/exports/exports-page.tsx'), 'ExportsPage'),
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: '/datasets',
  validateSearch: (given: Record<string, unknown>): SearchState & { create?: string } => ({
    ...readSearchState(given),
    ...onlyCreate(given),
  }),
  // Datasets are in the list of exports.
  beforeLoad: ({ search: { create, ...search } }) => {
    throw redirect({
      to: '/exports',
      search: { ...search, ...(create !== undefined && { create: 'dataset' }) },
      replace: true,
    });
  },
});

const trends = createRoute({
  getParentRoute: () => root,
  path: '/trends',
  validateSearch: readTrendsState,
  component: lazyRouteComponent(() => import('./pages/trends/trends-page.tsx'), 'TrendsPage'),
});

const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect',
  component: lazyRouteComponent(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: readAuditState,
  component: lazyRouteComponent(() => import('./pages/history/history-page.tsx'), 'HistoryPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: onlyCreate,
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: () => {
    throw redirect({ to: '/admin/overview', replace: true });
  },
});

const adminOverview = createRoute({
  getParentRoute: () => root,
  path: '/admin/overview',
  component: lazyRouteComponent(() => import('./pages/admin/overview-page.tsx'), 'OverviewPage'),
});

const adminWorkspaces = createRoute({
  getParentRoute: () => root,
  path: '/admin/workspaces',
  validateSearch: (given: Record<string, unknown>): { q?: string; create?: string } => ({
    ...onlyCreate(given),
    ...(typeof given.q === 'string' && { q: given.q }),
  }),
  component: lazyRouteComponent(() => import('./pages/admin/workspaces-page.tsx'), 'AdminWorkspacesPage'),
});

const adminWorkspace = createRoute({
  getParentRoute: () => root,
  path: '/admin/workspaces/$workspaceId',
  component: lazyRouteComponent(() => import('./pages/admin/workspace-page.tsx'), 'AdminWorkspacePage'),
});

const adminAudit = createRoute({
  getParentRoute: () => root,
  path: '/admin/audit',
  validateSearch: readAuditState,
  component: lazyRouteComponent(() => import('./pages/admin/audit-page.tsx'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    mentions,
    start,
    signIn,
    sharedTrends,
    confirmAddress,
    unsubscribe,
    search,
    post,
    jobs,
    job,
    schedules,
    alerts,
    alert,
    stories,
    story,
    reports,
    report,
    webhooks,
    webhook,
    trends,
    exports,
    datasets,
    connect,
    history,
    settings,
    admin,
    adminOverview,
    adminWorkspaces,
    adminWorkspace,
    adminAudit,
  ]),
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
  // Parameters that a page does not know are ignored, such as those that links from mails have.
  search: { strict: true },
  // Plain names and texts in the address, as people share them.
  parseSearch: (text) => {
    const parameters = new URLSearchParams(text);
    return Object.fromEntries(
      [...new Set(parameters.keys())].map((name) => {
        const values = parameters.getAll(name);
        return [name, values.length > 1 ? values : values[0]];
      }),
    );
  },
  stringifySearch: (search) => {
    const parameters = new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) =>
        [value]
          .flat()
          .flatMap((one: unknown) => (one === undefined || one === '' ? [] : [[name, String(one)]])),
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

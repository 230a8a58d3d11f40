import { prepareDashboard } from './lib/dashboard.mjs';

// `npm run web:build`: the dashboard as the API serves it.
if (!(await prepareDashboard())) process.exit(1);

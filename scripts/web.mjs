import { prepareDashboard } from './lib/dashboard.mjs';

// `npm run web:build`: builds the dashboard that the API serves.
if (!(await prepareDashboard())) process.exit(1);

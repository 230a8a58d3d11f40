import {
  Bell,
  CalendarClock,
  ChartLine,
  Download,
  HardDriveDownload,
  House,
  Inbox,
  type LucideIcon,
  Search,
  Settings,
  Snowflake,
  Webhook,
} from 'lucide-react';
import { navigationTexts } from '../texts/navigation.ts';

/** The pages of the navigation in their groups, in order, each with its address, name and icon. */
export const LINK_GROUPS = [
  {
    title: navigationTexts.groups.listen,
    links: [
      { to: '/', label: navigationTexts.home, Icon: House },
      { to: '/mentions', label: navigationTexts.mentions, Icon: Inbox },
      { to: '/search', label: navigationTexts.search, Icon: Search },
      { to: '/trends', label: navigationTexts.trends, Icon: ChartLine },
    ],
  },
  {
    title: navigationTexts.groups.collect,
    links: [
      { to: '/jobs', label: navigationTexts.jobs, Icon: HardDriveDownload },
      { to: '/schedules', label: navigationTexts.schedules, Icon: CalendarClock },
    ],
  },
  {
    title: navigationTexts.groups.deliver,
    links: [
      { to: '/alerts', label: navigationTexts.alerts, Icon: Bell },
      { to: '/webhooks', label: navigationTexts.webhooks, Icon: Webhook },
      { to: '/exports', label: navigationTexts.exports, Icon: Download },
      { to: '/datasets', label: navigationTexts.datasets, Icon: Snowflake },
    ],
  },
  { title: null, links: [{ to: '/settings', label: navigationTexts.settings, Icon: Settings }] },
] as const satisfies readonly {
  title: string | null;
  links: readonly { to: string; label: string; Icon: LucideIcon }[];
}[];

/** All pages of the navigation, in order. */
export const LINKS = LINK_GROUPS.flatMap(({ links }) => [...links]);

export type PagePath = (typeof LINKS)[number]['to'];

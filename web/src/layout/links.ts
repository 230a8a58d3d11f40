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

const navigation = navigationTexts;

/** The pages of the navigation in their groups, in order, each with its address, name and icon. */
export const LINK_GROUPS = [
  {
    title: navigation.groups.listen,
    links: [
      { to: '/', label: navigation.home, Icon: House },
      { to: '/mentions', label: navigation.mentions, Icon: Inbox },
      { to: '/search', label: navigation.search, Icon: Search },
      { to: '/trends', label: navigation.trends, Icon: ChartLine },
    ],
  },
  {
    title: navigation.groups.collect,
    links: [
      { to: '/jobs', label: navigation.jobs, Icon: HardDriveDownload },
      { to: '/schedules', label: navigation.schedules, Icon: CalendarClock },
    ],
  },
  {
    title: navigation.groups.deliver,
    links: [
      { to: '/alerts', label: navigation.alerts, Icon: Bell },
      { to: '/webhooks', label: navigation.webhooks, Icon: Webhook },
      { to: '/exports', label: navigation.exports, Icon: Download },
      { to: '/datasets', label: navigation.datasets, Icon: Snowflake },
    ],
  },
  { title: null, links: [{ to: '/settings', label: navigation.settings, Icon: Settings }] },
] as const satisfies readonly {
  title: string | null;
  links: readonly { to: string; label: string; Icon: LucideIcon }[];
}[];

/** All pages of the navigation, in order. */
export const LINKS = LINK_GROUPS.flatMap(({ links }) => [...links]);

export type PagePath = (typeof LINKS)[number]['to'];

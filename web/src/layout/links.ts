import {
  Bell,
  CalendarClock,
  ChartLine,
  Download,
  FileChartColumn,
  HardDriveDownload,
  History,
  House,
  Inbox,
  type LucideIcon,
  Newspaper,
  Plug,
  Search,
  Settings,
  Webhook,
} from 'lucide-react';
import { navigationTexts } from '../texts/navigation.ts';

/** The pages of the navigation in their groups, in order, each with its address, name, icon and the key that opens it after `g`. */
export const LINK_GROUPS = [
  {
    title: navigationTexts.groups.listen,
    links: [
      { to: '/', label: navigationTexts.home, key: 'h', Icon: House },
      { to: '/mentions', label: navigationTexts.mentions, key: 'm', Icon: Inbox },
      { to: '/search', label: navigationTexts.search, key: 's', Icon: Search },
      { to: '/trends', label: navigationTexts.trends, key: 't', Icon: ChartLine },
      { to: '/stories', label: navigationTexts.stories, key: 'o', Icon: Newspaper },
    ],
  },
  {
    title: navigationTexts.groups.collect,
    links: [
      { to: '/jobs', label: navigationTexts.jobs, key: 'j', Icon: HardDriveDownload },
      { to: '/schedules', label: navigationTexts.schedules, key: 'c', Icon: CalendarClock },
    ],
  },
  {
    title: navigationTexts.groups.deliver,
    links: [
      { to: '/alerts', label: navigationTexts.alerts, key: 'a', Icon: Bell },
      { to: '/reports', label: navigationTexts.reports, key: 'r', Icon: FileChartColumn },
      { to: '/webhooks', label: navigationTexts.webhooks, key: 'w', Icon: Webhook },
      { to: '/exports', label: navigationTexts.exports, key: 'e', Icon: Download },
    ],
  },
  {
    title: null,
    links: [
      { to: '/connect', label: navigationTexts.connect, key: 'n', Icon: Plug },
      { to: '/history', label: navigationTexts.history, key: 'y', Icon: History },
      { to: '/settings', label: navigationTexts.settings, key: ',', Icon: Settings },
    ],
  },
] as const satisfies readonly {
  title: string | null;
  links: readonly { to: string; label: string; key: string; Icon: LucideIcon }[];
}[];

/** All pages of the navigation, in order. */
export const LINKS = LINK_GROUPS.flatMap(({ links }) => [...links]);

/** Whether a page has anything for those who lack the scope `admin`. */
export const isForOwners = (to: PagePath): boolean => to === '/history';

export type PagePath = (typeof LINKS)[number]['to'];

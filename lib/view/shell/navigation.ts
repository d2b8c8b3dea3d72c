/** The screens of the dashboard: what navigation, palette and the `g` keys offer. */
export type Screen = {
  readonly href:
    | '/'
    | '/sessions'
    | '/findings'
    | '/policies'
    | '/cold-storage'
    | '/activity'
    | '/memory'
    | '/lab'
    | '/stores'
    | '/audit'
    | '/jobs'
    | '/help'
  readonly label: string
  /** For a place that is a sixth of a narrow screen; the label where that has room. */
  readonly short?: string
  /** Pressed after `g`. */
  readonly key: string
  readonly about: string
  /** It has its own place in the bar of narrow screens; the others are behind `More` there. */
  readonly atHand?: true
}

export const SCREENS: readonly Screen[] = [
  {
    href: '/',
    label: 'Overview',
    key: 'o',
    about: 'What is near its line, what it costs, what happened',
    atHand: true,
  },
  {
    href: '/sessions',
    label: 'Sessions',
    key: 's',
    about: 'Every session: sort, filter, search',
    atHand: true,
  },
  {
    href: '/findings',
    label: 'Findings',
    key: 'f',
    about: 'What is wrong, what it costs, what to do',
    atHand: true,
  },
  {
    href: '/policies',
    label: 'Policies',
    key: 'p',
    about: 'What decides what stays in a window: tuned against your own sessions',
    atHand: true,
  },
  {
    href: '/cold-storage',
    label: 'Cold storage',
    short: 'Cold',
    key: 'c',
    about: 'What agents dropped: found again and brought back',
  },
  {
    href: '/activity',
    label: 'Activity',
    key: 'a',
    about: 'Logs of compactions, drops, recoveries and health; the cut-off explorer',
  },
  {
    href: '/memory',
    label: 'Memory',
    key: 'm',
    about: 'What agents remember: facts, tasks, recalls, flushes and checkpoints',
  },
  {
    href: '/lab',
    label: 'Lab',
    key: 'l',
    about: 'Replay policies over your own sessions, with evidence, and tune one; experiments',
  },
  {
    href: '/stores',
    label: 'Stores',
    key: 't',
    about: 'Where sessions are read from, and what could not be read',
  },
  {
    href: '/audit',
    label: 'Audit',
    key: 'u',
    about: 'Every write to a store, with the way back',
  },
  {
    href: '/jobs',
    label: 'Jobs',
    key: 'j',
    about: 'Long work: how far it is, and what came of it',
  },
  { href: '/help', label: 'Help', key: 'h', about: 'The words and the figures explained' },
]

/** The screen that a path belongs to: `/sessions/ab12` belongs to `/sessions`. */
export function screenOf(pathname: string): Screen | null {
  return (
    SCREENS.find((screen) => screen.href === pathname) ??
    SCREENS.find((screen) => screen.href !== '/' && pathname.startsWith(`${screen.href}/`)) ??
    null
  )
}

import { SCREENS } from '../shell/navigation'

/** Keys and what they do, as the sheet and the help page list them. */
type Shortcut = { readonly keys: readonly string[]; readonly does: string }
export type ShortcutGroup = { readonly title: string; readonly shortcuts: readonly Shortcut[] }

export const SHORTCUT_GROUPS: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['⌘/Ctrl', 'K'], does: 'Find a session, a screen or an action' },
      { keys: ['/'], does: 'Search on this page, or everywhere' },
      { keys: ['?'], does: 'This sheet: keys and marks' },
      ...SCREENS.map((screen) => ({ keys: ['g', screen.key], does: `Go to ${screen.label}` })),
      { keys: ['Esc'], does: 'Close what is open, leave a field' },
    ],
  },
  {
    title: 'In lists',
    shortcuts: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Previous row' },
      { keys: ['Enter'], does: 'Open the row' },
    ],
  },
  {
    title: 'In a session',
    shortcuts: [
      { keys: ['←', '→'], does: 'On Context: previous call, next call; with Shift ten' },
      { keys: ['Home', 'End'], does: 'On the scrubber: first call, last call' },
      { keys: ['[', ']'], does: 'Previous session, next session' },
    ],
  },
]

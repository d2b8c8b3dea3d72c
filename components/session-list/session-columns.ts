import type { SessionSort } from '@/lib/view/session-list/session-list'

/** A column of the list. Below the middle width only the first one stays, and holds the others' figures. */
export type SessionColumn = {
  readonly sort: SessionSort | null
  readonly label: string
  readonly numeric?: boolean
  /** Width class; the first column takes what is left. */
  readonly width?: string
  /** From which screen width on the column is there. */
  readonly shown?: string
}

/** Classes that show a cell from a width of the screen on. */
export const FROM_MIDDLE = 'max-md:hidden'
export const FROM_LARGE = 'max-lg:hidden'
export const FROM_WIDE = 'max-xl:hidden'

export const SESSION_COLUMNS: readonly SessionColumn[] = [
  { sort: 'name', label: 'Session' },
  { sort: 'agent', label: 'Agent', width: 'w-24', shown: FROM_MIDDLE },
  { sort: 'channel', label: 'Channel', width: 'w-24', shown: FROM_WIDE },
  { sort: 'model', label: 'Model', width: 'w-38', shown: FROM_MIDDLE },
  { sort: 'fill', label: 'Fill', width: 'w-56', shown: FROM_MIDDLE },
  { sort: null, label: 'Last calls', width: 'w-28', shown: FROM_LARGE },
  { sort: 'calls', label: 'Calls', numeric: true, width: 'w-16', shown: FROM_MIDDLE },
  { sort: 'compactions', label: 'Compactions', numeric: true, width: 'w-26', shown: FROM_WIDE },
  { sort: 'cost', label: 'Cost', numeric: true, width: 'w-24', shown: FROM_MIDDLE },
  { sort: 'updated', label: 'Updated', numeric: true, width: 'w-31', shown: FROM_MIDDLE },
]

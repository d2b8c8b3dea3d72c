'use client'

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { ReadAction } from '@/components/stores/read-action'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { Theme } from '@/lib/view/shell/theme'

/** What floats over the page at the moment. */
export type Overlay = 'palette' | 'shortcuts'

/** What the shell can ask of the server. */
export type ShellActions = {
  readonly rememberTheme: (theme: Theme) => Promise<void>
  readonly rescan: ReadAction
  readonly cancelJob: CancelAction
}

type Shell = {
  readonly overlay: Overlay | null
  readonly show: (overlay: Overlay) => void
  readonly hide: () => void
  readonly theme: Theme
  /** Applies a theme at once, and has it remembered for the next page that the server renders. */
  readonly chooseTheme: (theme: Theme) => void
  readonly rescan: ShellActions['rescan']
  readonly cancelJob: CancelAction
}

const ShellContext = createContext<Shell | null>(null)

export function ShellProvider({
  initialTheme,
  actions,
  children,
}: {
  initialTheme: Theme
  actions: ShellActions
  children: ReactNode
}) {
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [theme, setTheme] = useState(initialTheme)
  const shell = useMemo(
    () => ({
      overlay,
      show: setOverlay,
      hide: () => setOverlay(null),
      theme,
      chooseTheme: (next: Theme) => {
        setTheme(next)
        showTheme(next)
        void actions.rememberTheme(next)
      },
      rescan: actions.rescan,
      cancelJob: actions.cancelJob,
    }),
    [overlay, theme, actions],
  )
  return <ShellContext value={shell}>{children}</ShellContext>
}

export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell needs a ShellProvider above it')
  return shell
}

/** Puts a theme on the page as the server would have rendered it. */
function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

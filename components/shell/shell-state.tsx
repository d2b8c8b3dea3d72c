'use client'

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

/** What floats over the page at the moment. */
export type Overlay = 'palette' | 'shortcuts'

type Shell = {
  readonly overlay: Overlay | null
  readonly show: (overlay: Overlay) => void
  readonly hide: () => void
}

const ShellContext = createContext<Shell | null>(null)

export function ShellProvider({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const shell = useMemo(() => ({ overlay, show: setOverlay, hide: () => setOverlay(null) }), [overlay])
  return <ShellContext value={shell}>{children}</ShellContext>
}

export function useShell(): Shell {
  const shell = useContext(ShellContext)
  if (!shell) throw new Error('useShell needs a ShellProvider above it')
  return shell
}

'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LiveConnection } from '@/components/live/live-connection'
import { RenderTimeProvider } from '@/components/ui/now'
import type { Theme } from '@/lib/view/shell/theme'
import { Keyboard } from './keyboard'
import { Palette } from './palette'
import { ReadySignal } from './ready-signal'
import { type ShellActions, ShellProvider } from './shell-state'
import { ShortcutSheet } from './shortcut-sheet'

/**
 * What every page is made of. Query data stays as it is until the live line says that something changed, so nothing
 * polls.
 */
export function Providers({
  renderedAt,
  revision,
  theme,
  actions,
  children,
}: {
  /** When the server made this page, in milliseconds. */
  renderedAt: number
  /** Of the database, when the server began to make this page. */
  revision: number | null
  theme: Theme
  actions: ShellActions
  children: ReactNode
}) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { staleTime: Number.POSITIVE_INFINITY, retry: 1, refetchOnWindowFocus: false },
        },
      }),
  )
  return (
    <QueryClientProvider client={client}>
      <RenderTimeProvider at={renderedAt}>
        <ShellProvider initialTheme={theme} actions={actions}>
          <LiveConnection asOf={revision} />
          <Keyboard />
          {children}
          <Palette />
          <ShortcutSheet />
          <ReadySignal />
        </ShellProvider>
      </RenderTimeProvider>
    </QueryClientProvider>
  )
}

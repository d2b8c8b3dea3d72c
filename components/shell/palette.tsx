'use client'

import dynamic from 'next/dynamic'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { useShell } from './shell-state'

const PaletteContent = dynamic(() => import('./palette-content').then((module) => module.PaletteContent), {
  ssr: false,
  loading: () => <Skeleton className="h-8 w-full" />,
})

/** Find a session, a screen or an action; loaded when it is first asked for. */
export function Palette() {
  const shell = useShell()
  return (
    <Dialog open={shell.overlay === 'palette'} onClose={shell.hide} title="Find" shape="palette">
      <PaletteContent close={shell.hide} />
    </Dialog>
  )
}

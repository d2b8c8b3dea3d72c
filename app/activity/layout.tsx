import type { ReactNode } from 'react'
import { LinkTabs } from '@/components/ui/tabs'

const TABS = [
  { href: '/activity', label: 'Logs' },
  { href: '/activity/transcripts', label: 'Transcripts' },
  { href: '/activity/cut-off', label: 'Cut-off explorer' },
] as const

export default function ActivityLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <LinkTabs tabs={TABS} label="Activity" />
      {children}
    </>
  )
}

import type { ReactNode } from 'react'
import { SignedOutBanner } from '@/components/live/signed-out-banner'
import type { JobView } from '@/lib/view/jobs/jobs'
import type { DemoNotice } from '@/lib/view/shell/demo'
import type { ReadingNotice } from '@/lib/view/shell/reading-notice'
import type { FileFault } from '@/lib/view/stores/file-faults'
import { DemoBanner } from './demo-banner'
import { FaultBanner } from './fault-banner'
import { Navigation } from './navigation'
import { ReadingBanner } from './reading-banner'
import { SafetyBanner } from './safety-banner'
import { StoreFaultLine } from './store-fault-line'
import { TopBar } from './top-bar'

/** The frame around every page. */
export function Shell({
  demo,
  safety,
  faults,
  reading,
  jobs,
  canSignOut,
  children,
}: {
  demo: DemoNotice
  /** Who besides the operator may decide or look. */
  safety: readonly string[]
  faults: readonly FileFault[]
  /** Who else reads the stores, or what keeps them from being read. */
  reading: readonly ReadingNotice[]
  /** Jobs under way when the page was made. */
  jobs: readonly JobView[]
  /** Browsers sign in here, so that they can sign out. */
  canSignOut: boolean
  children: ReactNode
}) {
  return (
    <>
      <a
        href="#main"
        className="floating sr-only z-50 px-3 py-2 text-table focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Navigation faulty={faults.length > 0} />
      <div className="flex min-h-dvh flex-col pb-16 md:pb-0 md:pl-(--nav-width)">
        <TopBar jobs={jobs} canSignOut={canSignOut} />
        <SignedOutBanner />
        <SafetyBanner notices={safety} />
        <FaultBanner faults={faults.filter(({ store }) => store === null)} />
        <StoreFaultLine faults={faults.filter(({ store }) => store !== null)} />
        <ReadingBanner notices={reading} />
        <DemoBanner notice={demo} />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col gap-4 p-3 outline-none md:p-4">
          {children}
        </main>
      </div>
    </>
  )
}

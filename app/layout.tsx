import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './globals.css'
import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '@/components/shell/providers'
import { Shell } from '@/components/shell/shell'
import { isOpenToLocalUsers } from '@/lib/server/access/signed-in'
import { getOpenJobs } from '@/lib/server/jobs/jobs'
import { getRevision } from '@/lib/server/process/revision'
import { getDemoNotice } from '@/lib/server/stores/demo'
import { getFileFaults } from '@/lib/server/stores/file-faults'
import { getReadingNotices } from '@/lib/server/stores/reading-notices'
import { getSafetyNotices } from '@/lib/server/stores/safety-notices'
import { EARLY_CLICKS } from '@/lib/view/shell/early-clicks'
import { EARLY_FIELDS } from '@/lib/view/shell/early-fields'
import { parseTheme, THEME_COOKIE } from '@/lib/view/shell/theme'
import { rememberTheme } from './actions'
import { cancelJobAction } from './jobs/actions'
import { rescanStores } from './stores/actions'

export const metadata: Metadata = {
  title: { default: 'Plimsoll', template: '%s · Plimsoll' },
  description: 'What fills the context windows of your agents.',
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f7f9' },
    { media: '(prefers-color-scheme: dark)', color: '#0c1117' },
  ],
}

const ACTIONS = { rememberTheme, rescan: rescanStores, cancelJob: cancelJobAction }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const revision = await getRevision()
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value)
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const demo = await getDemoNotice()
  const faults = await getFileFaults()
  const jobs = await getOpenJobs()
  return (
    // The first script notes on this element that a click waits, which may be before React looks at it.
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} suppressHydrationWarning>
      <body>
        <script nonce={nonce} suppressHydrationWarning>
          {`${EARLY_CLICKS};${EARLY_FIELDS}`}
        </script>
        <Providers renderedAt={Date.now()} revision={revision} theme={theme} actions={ACTIONS}>
          <Shell
            demo={demo}
            safety={getSafetyNotices()}
            faults={faults}
            reading={getReadingNotices()}
            jobs={jobs}
            canSignOut={!isOpenToLocalUsers()}
          >
            {children}
          </Shell>
        </Providers>
      </body>
    </html>
  )
}

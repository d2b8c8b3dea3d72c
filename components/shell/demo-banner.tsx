import type { DemoNotice } from '@/lib/view/shell/demo'

/** Says on every page that sessions are made up. */
export function DemoBanner({ notice }: { notice: DemoNotice }) {
  if (notice === 'none') return null
  return (
    <p className="border-b border-line bg-accent-soft px-3 py-1.5 text-table md:px-4">
      <strong className="font-semibold text-accent">Demo</strong>{' '}
      {notice === 'only'
        ? 'All sessions here are made up; nothing in them happened.'
        : 'Made-up sessions are beside yours; each is marked demo.'}
    </p>
  )
}

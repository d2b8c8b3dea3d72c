import type { Metadata } from 'next'
import { HELP_PARTS } from '@/components/help/help-parts'
import { HelpSearch } from '@/components/help/help-search'
import { HelpSection } from '@/components/help/help-section'
import { NamedPart } from '@/components/help/named-part'
import { Later } from '@/components/ui/later'
import { HELP_INDEX, HELP_SECTIONS } from '@/lib/view/help/help-index'

export const metadata: Metadata = { title: 'Help' }

export default function HelpPage() {
  const [first, ...others] = HELP_SECTIONS.map(([id, title]) => {
    const Part = HELP_PARTS[id]
    return (
      <HelpSection key={id} id={id} title={title}>
        <Part />
      </HelpSection>
    )
  })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_14rem]">
      <nav
        aria-label="On this page"
        className="rounded-card border border-line bg-surface p-3 lg:sticky lg:top-[calc(var(--bar-height)+16px)] lg:order-last"
      >
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-table lg:flex-col">
          {HELP_SECTIONS.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className="text-accent hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-col gap-6">
        <HelpSearch entries={HELP_INDEX} />
        {first}
        <Later>
          <NamedPart />
          {others}
        </Later>
      </div>
    </div>
  )
}

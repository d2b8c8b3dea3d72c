import type { ReactNode } from 'react'
import { PageLink } from '@/components/ui/page-link'

/** One choice of several that are pages. */
export type ChoiceLink = {
  readonly href: string
  readonly label: string
  readonly isCurrent: boolean
  readonly title?: string
  /** Behind the word, quiet. */
  readonly count?: ReactNode
}

/** Choices in a row; the one in force is marked. */
export function ChoiceLinks({ label, choices }: { label: string; choices: readonly ChoiceLink[] }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 text-table">
      {choices.map(({ href, label: words, isCurrent, title, count }) => (
        <PageLink
          key={href}
          href={href}
          aria-current={isCurrent ? 'true' : undefined}
          title={title}
          className="rounded-md border border-line bg-surface px-3 py-1 hover:bg-inset aria-[current=true]:border-line-strong aria-[current=true]:font-medium"
        >
          {words}
          {count !== undefined && <span className="tnum ml-2 text-muted">{count}</span>}
        </PageLink>
      ))}
    </nav>
  )
}

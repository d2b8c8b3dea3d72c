import type { ReactNode } from 'react'
import { SHORT_MEANINGS, type ShortTerm } from '@/lib/view/help/short-meanings'
import { PageLink } from './page-link'

/**
 * A word of the help: one sentence on hover, all of it one click away.
 * @param about what it says of the case at hand, in place of the sentence
 */
export function Term({ id, about, children }: { id: ShortTerm; about?: string; children: ReactNode }) {
  return (
    <PageLink
      href={`/help#${id}`}
      title={about ?? SHORT_MEANINGS[id]}
      className="underline decoration-line-strong decoration-dotted underline-offset-2 hover:decoration-solid"
    >
      {children}
    </PageLink>
  )
}

/** The same beside a word that is a button itself. */
export function TermMark({ id, name }: { id: ShortTerm; name: string }) {
  return (
    <PageLink
      href={`/help#${id}`}
      title={SHORT_MEANINGS[id]}
      aria-label={`What ${name} means`}
      className="inline-flex size-5 shrink-0 items-center justify-center rounded-full text-label text-muted hover:bg-inset hover:text-accent"
    >
      ?
    </PageLink>
  )
}

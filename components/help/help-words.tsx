import { HELP_TERMS } from '@/lib/view/help/help'

/** The words with their meanings, each with an address. */
export function HelpWords() {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
      {HELP_TERMS.map((term) => (
        <div key={term.id} className="contents">
          {/* An element without its own box cannot be scrolled to. */}
          <dt id={term.id} className="font-medium">
            {term.term}
          </dt>
          <dd className="mb-2 sm:mb-0">{term.meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

import type { HelpTerm } from '@/lib/view/help/help'
import { HELP_REMEDIES, HELP_VERIFY } from '@/lib/view/help/help-remedies'

/** What can be done about a finding, and how it is judged whether that helped. */
export function HelpRemedies() {
  return (
    <>
      <p>
        “plimsoll findings apply ID” does what helps against a finding, and “--dry-run” shows it and writes
        nothing. The page has the same behind “Preview the setting”. Every write has a receipt that “plimsoll
        undo” takes back byte for byte.
      </p>
      <Terms terms={HELP_REMEDIES} />
      <p>
        “plimsoll findings verify” measures what an applied setting was for: prompt tokens, tokens that were
        not in the cache, calls refused or cut, or compactions. What was foreseen is shown beside what was
        seen.
      </p>
      <Terms terms={HELP_VERIFY} />
    </>
  )
}

function Terms({ terms }: { terms: readonly HelpTerm[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
      {terms.map(({ id, term, meaning }) => (
        <div key={id} className="contents">
          <dt id={id} className="font-medium">
            {term}
          </dt>
          <dd className="mb-2 sm:mb-0">{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

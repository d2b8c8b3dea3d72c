import { HELP_FINDINGS } from '@/lib/view/help/help-findings'

/** What is looked for in sessions, each kind with an address. */
export function HelpFindings() {
  return (
    <>
      <p>
        A finding is something in a session, or in a store as a whole, that is wrong or dear. It names where
        it shows, what it has cost as far as that is known, and what can be done; costs of findings overlap
        and never add up to one sum. It is high where the agent forgets, fails or pays much for nothing now,
        medium where it costs again and again or makes up a fifth of its session’s bill and a dollar or more,
        and low where it is worth knowing. They are kept with the import and stay, with the moment, when they
        are not found any more. Stores as wholes are examined while they are read, when a transcript or a lock
        changes and at least twice a minute, since a lock is left behind without a file changing. The page
        Findings has one row for each cause, and Overview leads with the worst of them. A session has a list
        of its findings and marks on its chart: Tab leads to the marks, arrow keys go from one to the next,
        and Enter chooses the call. The command line has each of them as “plimsoll findings”, straight from
        the transcripts.
      </p>
      <p>
        What can be done about one is below{' '}
        <a href="#remedies" className="text-accent underline">
          Remedies, and whether they helped
        </a>
        . A setting that has been worse for three days is to be taken back. A cause that need not be looked at
        can be muted, with a reason and until a day.
      </p>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
        {HELP_FINDINGS.map(({ id, term, meaning, signs }) => (
          <div key={id} className="contents">
            <dt id={id} className="font-medium">
              {term}
            </dt>
            <dd className="mb-2 sm:mb-0">
              {meaning} <span className="text-muted">{signs}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

import { HELP_FINDINGS } from '@/lib/view/help/help-findings'

/** What is looked for in sessions, each kind with an address. */
export function HelpFindings() {
  return (
    <>
      <p>
        A finding is something in a session, or in a store as a whole, that is wrong or dear. It names where
        it shows, what it has cost as far as that is known, and what can be done; costs of findings overlap
        and never add up to one sum. They are kept with the import and stay, with the moment, when they are
        not found any more. Stores as wholes are examined while they are read, when a transcript or a lock
        changes and at least twice a minute, since a lock is left behind without a file changing. The page
        Findings has one row for each cause, and Overview leads with the worst of them. A session has a list
        of its findings and marks on its chart: Tab leads to the marks, arrow keys go from one to the next,
        and Enter chooses the call. The command line has each of them as “plimsoll findings”, straight from
        the transcripts.
      </p>
      <p>
        Where a setting of the runtime is behind a finding, “plimsoll findings apply ID --dry-run” shows the
        change of the runtime’s own file, how its value was worked out, and at which calls sessions would
        compact then. Without “--dry-run” it is written, with a receipt that “plimsoll undo” takes back byte
        for byte. A setting whose effect in the runtime’s release is not known is not offered; where several
        settings would cure it, “--key” takes another one (transcripts that are about to be deleted stay by
        the runtime’s setting or by our archive). The page has the same behind “Preview the setting”. A rule
        of yours that a compaction lost can be pinned: one line in the file of instructions that the runtime
        sends with every call. It is shown as it would be written, with the line of the transcript that it
        comes from, and only what the user said in a session that a person leads is offered. Whether it helped
        is shown there, and by “plimsoll findings verify”: the same measure over comparable calls before and
        after (of the same sort of session, at like places since a compaction), with a 95 % interval, or about
        how many more calls it takes until an effect of 15 % would be found. A setting that has been worse for
        three days is to be taken back. A cause that need not be looked at can be muted, with a reason and
        until a day.
      </p>
      <p>
        A change is also replayed over the newest sessions of its store, with the settings as they are and as
        they would be: compactions, prompt tokens, cost, and what was needed later, assuming the agent had
        done the same. For agents that embed the library the value goes into our own settings file. Where a
        tuning of the Lab was over the sessions and found a gain, its picks can be tried in the same place, as
        far as the file has keys for them. What was foreseen is kept and shown beside what was seen.
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

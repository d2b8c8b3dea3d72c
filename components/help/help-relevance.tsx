import { PageLink } from '@/components/ui/page-link'
import { ARCHIVE_DAYS } from '@/lib/core/cold/retention'
import { LEAST_DROPS, MOST_AGAINST } from '@/lib/core/logs/advise-cutoff'
import { LOG_FILES } from '@/lib/core/logs/log-files'
import { DEFAULT_POLICY } from '@/lib/core/policy/default-policy'
import { formatCount, formatPercent } from '@/lib/view/text/format'

const { relevance, coldStorage, logs } = DEFAULT_POLICY

/** What is dropped, where it goes, how it comes back, and how to tune that. */
export function HelpRelevance() {
  return (
    <>
      <p>
        An agent can let go of chunks that have nothing to do with the present prompt. Each is scored: at or
        below the cut-off ({relevance.cutoff}) it is dropped, from the keep threshold on ({relevance.keep}) it
        stays, between the two it is summarised. What is protected, such as the newest chunks and what was
        marked important, stays whatever its score. A dropped chunk is written to{' '}
        <PageLink href="/cold-storage" className="text-accent underline">
          cold storage
        </PageLink>{' '}
        first, and leaves the context only when it is safe there.
      </p>
      <p>
        Cold storage holds one file for each chunk below <code>{coldStorage.path}</code>. A chunk is offered
        for {formatCount(coldStorage.days)} days after its drop, the archive of a session that has ended for{' '}
        {ARCHIVE_DAYS}. What has expired is found only on demand, can still be kept longer, and stays on the
        disk until a purge removes it for good. Words are compared without case, accents and punctuation; rare
        ones count most. In Chinese, Japanese and Thai text each part is found, be it one character. Records
        that are torn, or lie in the folder of another session, are counted and left alone; a record with an
        odd field is used, with that field as unknown, and without a time to keep it until it does not expire.
        What came back and is dropped again keeps its id and its one record. An index in Plimsoll&apos;s state
        folder makes searches fast; it can be deleted at any time.
      </p>
      <p>
        On the command line <code>plimsoll cold-storage list|search|extend|purge</code> and{' '}
        <code>recover</code> look in every folder that a policy in force names, those of the agents&apos; own
        files first; the JSON documents of <code>list</code>, <code>search</code> and <code>purge</code> have
        them as <code>roots</code>.
      </p>
      <p>
        A chunk comes back into its transcript as a note in the user&apos;s role, with a line that keeps a
        model from taking it for a new request: where it was, if its neighbours are still in the context, else
        at the end. The page shows place, neighbours and size before anything is written; the write is locked,
        backed up and verified, and its receipt takes it back byte for byte. Sessions in OpenClaw&apos;s
        database are only read.
      </p>
      <p>
        Agents note what they do in{' '}
        {Object.values(LOG_FILES).map(([name], i) => (
          <span key={name}>
            {i > 0 && ', '}
            <code>{name}</code>
          </span>
        ))}{' '}
        below <code>{logs.path}</code>, or where the policy has it.{' '}
        <PageLink href="/activity" className="text-accent underline">
          Activity
        </PageLink>{' '}
        reads them as they grow, also when they are put aside under another name. Lines that cannot be read
        are counted, named, and in no figure.
      </p>
      <p id="cut-off">
        The{' '}
        <PageLink href="/activity/cut-off" className="text-accent underline">
          cut-off explorer
        </PageLink>{' '}
        sets two settings side by side. Over the logs it asks what would have become of every drop, and which
        drops something speaks against: the chunk was brought back later, or a later call wrote something rare
        that was only in what had been dropped. It advises a lower cut-off when more than{' '}
        {formatPercent(MOST_AGAINST)} of at least {LEAST_DROPS} scored drops were wanted later. It never
        advises a higher one, because what stayed is in no log; for that, the trial goes through recorded
        transcripts with both settings and tells how many tokens fewer would have been sent, and how much of
        what was needed later would still have been there. The record is held fixed, and only literal use is
        seen: paraphrase is not, so take the figures for what they are, a comparison.
      </p>
    </>
  )
}

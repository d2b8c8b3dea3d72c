import { STATE_LABELS } from '@/lib/view/session-list/session-list'

/** How many calls are left up to a line. */
export function HelpForecast() {
  return (
    <p>
      “~9 calls to compact” divides what is left up to the next marked line by the mean growth per call since
      the last compaction, over the last 32 calls at most. Nothing is said when fewer than four calls are
      known, when nothing grows, or when the answer would be beyond a thousand calls.
    </p>
  )
}

/** What a sum of cost is made of. */
export function HelpCost() {
  return (
    <>
      <p>
        Cost is what the transcript itself records for a call. A call without a recorded cost is unknown: it
        is left out of the sum, and the sum then reads “$3.18 + ?”. Calls that failed before the model
        answered are taken as not billed. Cache hit is the share of cache reads in what was sent.
      </p>
      <p>Days are days in UTC. A session that runs past midnight counts on both days.</p>
    </>
  )
}

/** How fresh a page is. */
export function HelpLive() {
  return (
    <p>
      While a page is open, it follows the database: a line appended to a transcript shows within a second.
      “live” names the last word from the server; “stale” means that there has been none for a while, and that
      figures may be old. A page in the background rests, and catches up when you come back.
    </p>
  )
}

/** What is kept of what could not be read. */
export function HelpStores() {
  return (
    <>
      <p>
        A line that is no entry is kept with its number and the reason, and everything else in the file is
        read. An entry of a type that we do not know is kept and counted; it is not taken for context. A line
        that is still being written waits for its end.
      </p>
      <p>
        A transcript without a header, with a last line that is not finished, without any readable line or
        without any content says so at its head and on the Stores page, and in what <code>sessions</code>,{' '}
        <code>status</code>, <code>context</code> and <code>doctor</code> print. What such a file does not
        tell is unknown, not zero. A store marked <em>in part</em> is read, but for what its note names.
      </p>
      <p>
        A store that cannot be read, or that could not be examined as a whole, says so above the Overview and
        the findings and on the Stores page, with the reason and what to do. What was found in it before
        stays.
      </p>
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-6 gap-y-1 text-table">
        {Object.entries(STATE_LABELS).map(([state, { label, about }]) => (
          <div key={state} className="contents">
            <dt className="font-medium">{label}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

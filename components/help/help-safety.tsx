import { PageLink } from '@/components/ui/page-link'

/** How Plimsoll writes to a store, what it repairs and puts in order, and how that is taken back. */
export function HelpSafety() {
  return (
    <>
      <p>
        Reading changes nothing. Every write goes the same way: nobody may be working with the session, the
        runtime&apos;s own lock is taken, the file is compared with what the plan was made from, copied to a
        backup, replaced in one step and read again. Whatever fails on this way leaves the file as it was, and
        the reason is said: who holds it, since when, and what to do. The command line waits for a while
        before it gives up; then it ends with exit code 3.
      </p>
      <p>
        Each write leaves a receipt, listed under{' '}
        <PageLink href="/audit" className="text-accent underline">
          Audit
        </PageLink>{' '}
        with the hashes before and after. “Undo” there, on the page of the write, or{' '}
        <code>plimsoll undo RECEIPT</code> gives back the bytes of before. It is refused when the file has
        moved on since, or the backup has gone; backups are kept at least as long as <code>backups.keep</code>{' '}
        in the settings says. Receipts are files of their own, so a lost database does not lose them.
      </p>
      <p>
        <b>Repair.</b> Session › Integrity, or <code>plimsoll repair SESSION --check</code>, lists what is
        wrong by kind and risk: lines that cannot be read, entries that hang on nothing, tool calls without
        results. Beside it stands what each provider would refuse, and why; “once put in form” means that the
        runtime puts it right each time it sends. <code>--diff</code> shows every entry that a repair would
        change, <code>--apply</code> makes it. A second repair finds nothing more to do. A file without a
        session header is left alone, since nothing says whose it is.
      </p>
      <p>
        <b>Before OpenClaw moves a store into its database</b>, look at{' '}
        <PageLink href="/stores" className="text-accent underline">
          Stores
        </PageLink>
        : its import keeps only what stands before the first bad line of a transcript. The page names the
        transcripts that would lose entries, and how many even after a repair.
      </p>
      <p id="maintenance">
        <b>Maintenance.</b> Stores › Maintenance, or <code>plimsoll maintain</code>, shows what a store&apos;s
        own limits would remove, before anything is. Mode “warn” only tells; “enforce” lets a plan be carried
        out (<code>--enforce</code>), as a whole, under one receipt. Sessions used within the last hour,
        groups, channels, threads and pinned sessions stay. “Must stay” (<code>--active KEY</code>) names one
        more; a key that no session has stops it. If the store has changed since the dry run, nothing is done.
      </p>
      <p id="database">
        <b>Stores that are databases</b> are changed by OpenClaw alone. Name its command in the settings (
        <code>gateway: {'{ command: openclaw }'}</code>), and Plimsoll asks it: for maintenance{' '}
        <code>openclaw sessions cleanup</code>, a dry run first; with <code>--fix-missing</code> also sessions
        whose transcripts hold no message. For a transcript that lacks its header,{' '}
        <code>plimsoll repair SESSION --doctor</code> runs <code>openclaw doctor --fix</code>, which also
        applies its other safe repairs. What it says of its success does not count: every row is compared
        afterwards with what was announced, and the receipt tells. Such a write cannot be undone from here.
      </p>
      <p>
        Long work runs as a{' '}
        <PageLink href="/jobs" className="text-accent underline">
          job
        </PageLink>
        : it shows how far it is, goes on when the page is left, and can be cancelled up to the moment in
        which a file is replaced.
      </p>
    </>
  )
}

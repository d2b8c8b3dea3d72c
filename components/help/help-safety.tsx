import { PageLink } from '@/components/ui/page-link'

/** How Plimsoll writes to a store, what it repairs and puts in order, and how that is taken back. */
export function HelpSafety() {
  return (
    <>
      <p>
        Reading changes nothing. Every write goes the same way: the session may not be in use, the
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
        in the settings says. Receipts are separate files, so a lost database does not lose them.
      </p>
      <p>
        Receipts are signed with a key of the state folder, and each line of the log of writes has the hash of
        the line before it. A receipt that does not prove itself is marked “not proved” and nothing is done
        for its sake; <code>plimsoll audit --verify</code> names the first line of the log that was changed,
        added or taken away. A receipt from before they were signed can be taken back with{' '}
        <code>plimsoll undo RECEIPT --unsigned</code>.
      </p>
      <p>
        What is taken away is recognised first: <code>plimsoll reset</code>, a purge, maintenance and the
        clean-up of logs, backups and versions leave every file alone that is not theirs by place, kind and
        content, and name it. A policy file of a store that is a link is named, and neither shown nor written.
      </p>
      <p>
        <b>Repair.</b> Session › Integrity, or <code>plimsoll repair SESSION --check</code>, lists what is
        wrong by kind and risk: lines that cannot be read, entries without a parent, tool calls without
        results. Beside it is what each provider would refuse, and why; “once put in form” means that the
        runtime puts it right each time it sends. <code>--diff</code> shows every entry that a repair would
        change, <code>--apply</code> makes it. A second repair finds nothing more to do. A file without a
        session header is left alone, since nothing says whose it is.
      </p>
      <p>
        <b>Before OpenClaw moves a store into its database</b>, look at{' '}
        <PageLink href="/stores" className="text-accent underline">
          Stores
        </PageLink>
        : its import keeps only what is before the first bad line of a transcript. The page names the
        transcripts that would lose entries, and how many even after a repair.
      </p>
      <p id="trust">
        <b>What a store may decide.</b> Its files are data of others: numbers, switches and names in them
        count, and nothing that acts. A model that they name, an address, or a folder outside of the store is
        not used until your settings allow that store exactly this. <code>plimsoll policy check</code> and the{' '}
        <PageLink href="/policies" className="text-accent underline">
          Policies
        </PageLink>{' '}
        page show what a store asks for, and the lines to add: <code>stores</code>, with <code>path</code> and{' '}
        <code>allow</code> (<code>summarizer</code>, <code>embedder</code>, <code>sessionModel</code>,{' '}
        <code>folders</code>). No page adds them. OpenClaw&apos;s own command runs with the settings of a
        store only where your OpenClaw keeps its state, or with <code>openclaw: true</code> there. A key goes
        to its provider&apos;s own host only, unless <code>keys</code> in your settings pairs its variable
        with another address. Verbs and pages that read send nothing, but to an embedding model that your
        settings name.
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

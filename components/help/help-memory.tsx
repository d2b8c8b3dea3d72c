import { MEMORY_EXAMPLE } from '@/lib/view/memory/memory-example'

/** What agents keep outside of their windows, and how it comes back. */
export function HelpMemory() {
  return (
    <>
      <p>
        <strong>Tasks.</strong> An agent that works through tasks with <code>TaskKeeper</code> of the library
        completes each with what it came to. That is kept; the texts of its tool results leave the window, and
        calls and results stay pairs. The next task gets what it depends on, word for word as far as there is
        room, in the system prompt and only while it is worked on. Tasks that wait for each other in a ring
        are named, and cannot be started. <code>plimsoll tasks</code> lists them, <code>--check</code> fails
        on a ring.
      </p>
      <p>
        <strong>Facts</strong> are taken from completed tasks without a model: statements with names or
        values, decisions, rules of the user, files that were changed. What tools returned is never a source.
        A fact that was stated is 90 % sure, loses 5 % of that a month unless it is said again, and is put
        away below 30 %. A newer fact that gives the same thing another value of the same kind takes the place
        of the older one, which stays readable. What holds a credential is not taken in. At most five facts
        that fit its title come with a new task. A fact that you forget is gone; its words are shown once
        more, so that you can add it again. They are in the database, or in a SurrealDB that{' '}
        <code>knowledge.surrealdb</code> in <code>plimsoll.yaml</code> names; while that is down the database
        takes its place, and passes on what it missed.
      </p>
      <p>
        <strong>Recall.</strong> With <code>semantic.enabled</code> in the policy, each prompt is compared
        with the places that the agent was given, such as the memory files of its workspace, cold storage and
        old sessions, on this machine alone. Credentials in them are covered before they are indexed. Pieces
        from <code>semantic.minScore</code> on, at most <code>semantic.maxChunks</code>, go into the system
        prompt in tags that they cannot close, within a share of the bootstrap region, to the token. The score
        is the higher of two: the telling words of the prompt that are in the piece, and likeness of spelling.
        The Context tab of a session shows what would be recalled now of all that this machine has, without
        what the session said itself; <code>plimsoll memory search</code> looks through the same. A prompt
        waits up to a second and a half for the first look, later a tenth of a second for what changed; what
        is missing then comes with the next one. The index holds at most 120,000 pieces, old sessions give way
        first.
      </p>
      <p>
        What is remembered may have been written by anybody. It enters a prompt escaped, as a quotation, with
        a line that says that it is no instruction.
      </p>
      <p>An agent that uses the library is given all of it like this:</p>
      <pre className="rounded-card border border-line bg-surface p-3 text-label whitespace-pre-wrap break-words">
        <code>{MEMORY_EXAMPLE}</code>
      </pre>
    </>
  )
}

import { PRUNE_RULE_NAMES, PRUNE_RULE_WORDS } from '@/lib/core/pruning/prune-rule-names'

/** What pruning is, which rules there are, and what stays whatever they say. */
export function HelpPruning() {
  return (
    <>
      <p>
        Pruning makes what is sent smaller, and leaves the transcript as it is: a placeholder is sent in the
        place of an old tool result or a long argument. The call and its result always stay a pair. The
        Pruning page of a session shows what each rule would take out at any call, by itself and beside the
        others, and writes nothing; so does <code>plimsoll prune</code>. A text that several rules ask for
        counts once, for the first of them.
      </p>
      <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-6 gap-y-1 text-table">
        {PRUNE_RULE_NAMES.map((rule) => (
          <div key={rule} className="contents">
            <dt className="font-medium">{PRUNE_RULE_WORDS[rule].label}</dt>
            <dd>{PRUNE_RULE_WORDS[rule].about}</dd>
          </div>
        ))}
      </dl>
      <p>
        What people and agents say is never pruned, nor is a summary. The newest messages, young ones, errors,
        plans, what is marked as important and the tools that the policy names stay as well. The rule of the
        cold cache decides as OpenClaw 2026.7.1 does, so its figures are those of the runtime, in characters.
      </p>
      <p>
        A live agent’s requests are pruned when the provider’s cache has gone cold, and stay the same until
        the next time: a changed beginning has to be paid for while the cache is warm. Completed work slides:
        above the slide line, and after every so many turns, old results are summarised into the head of the
        context and cleared. A message that does not fit gets its room the same way. Where the summary fails,
        nothing is cleared.
      </p>
    </>
  )
}

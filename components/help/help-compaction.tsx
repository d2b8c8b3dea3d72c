import { PageLink } from '@/components/ui/page-link'
import { PLAN_RULES } from '@/lib/core/compaction/plan'
import { ACTION_WORDS, ACTIONS } from '@/lib/view/compaction/compact-plan'

/** What a compaction does here, and what the words of its pages mean. */
export function HelpCompaction() {
  return (
    <>
      <p>
        A compaction adds one record at the end of a transcript. From then on the model gets its summary in
        place of everything before the first entry that stays. Nothing is deleted: what was summarised is
        still in the file. The Compact page of a session shows the plan first and writes nothing; a run locks
        the file, keeps a copy, adds the record, reads the file again and compares the context that it builds
        with the plan. Its receipt takes it back, byte for byte, as long as nothing has come after it.
        <code>plimsoll compact --now</code> does the same on the command line; without a session it means the
        only one that there is.
      </p>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-6 gap-y-1 text-table">
        {ACTIONS.map((action) => (
          <div key={action} className="contents">
            <dt className="font-medium">{ACTION_WORDS[action].label}</dt>
            <dd>{ACTION_WORDS[action].about}</dd>
          </div>
        ))}
        <div className="contents">
          <dt className="font-medium">Oversized</dt>
          <dd>{PLAN_RULES.oversized}</dd>
        </div>
        <div className="contents">
          <dt className="font-medium">Mid-task</dt>
          <dd>
            the last message before it had called a tool, or the results had just come: the agent had to find
            its thread again
          </dd>
        </div>
        <div className="contents">
          <dt className="font-medium">Repeated at once</dt>
          <dd>no call was made since the compaction before it</dd>
        </div>
      </dl>
      <p>
        A digest is a summary that needs no model: it is put together from the messages themselves, under
        fixed headings for the goal, decisions, open work, rules, what the person asked last, and exact names.
        The same messages give the same digest. It is used when no model can be asked, and in the place of a
        model that fails. The model that is asked is the one that your settings name. The session’s own is
        asked only where your settings have <code>summary.fallbackToMain: true</code> and its key is in the
        environment. Each plan names the model, its address, and how many messages and tokens it gets.
      </p>
      <p>
        “Lost by name” compares literally: a path, address, identifier or number that was in what was
        summarised, and is neither in the summary nor in what stayed. “Came back” means that the model wrote
        it again later, which it could only do by looking it up once more, or by guessing. Set a session
        against another policy on its Compact page, or{' '}
        <PageLink href="/policies" className="text-accent underline">
          change the policy
        </PageLink>{' '}
        itself.
      </p>
    </>
  )
}

import { Card } from '@/components/ui/card'
import { formatQuantity } from '@/lib/view/text/format'
import { FindingList } from './finding-list'
import { RefusalList } from './refusal-list'
import { type RepairedSession, RepairPanel } from './repair-panel'
import { StepList } from './step-list'

/** Whether a session is sound: what is wrong, what a repair would change, and what providers would say. */
export function IntegrityScreen({ session, view, actions }: RepairedSession) {
  const left = view.changes - view.steps.length
  return (
    <div className="flex flex-col gap-4">
      <RepairPanel session={session} view={view} actions={actions} />
      {view.groups.length > 0 && (
        <Card title="What is wrong" note="by kind, the most dangerous first" flush>
          <FindingList groups={view.groups} />
        </Card>
      )}
      {view.steps.length > 0 && (
        <Card
          title="What a repair would change"
          note={`${formatQuantity(view.changes, 'entry', 'entries')}; all others stay as they are, to the byte${left > 0 ? `; the first ${view.steps.length} are shown` : ''}`}
          flush
        >
          <StepList steps={view.steps} />
        </Card>
      )}
      {view.refusals !== null && (
        <Card
          title="What providers would say"
          note="to the branch that the conversation goes on from, as it is in the file"
        >
          <RefusalList refusals={view.refusals} left={view.refusalsLeft} />
        </Card>
      )}
      {view.notes.length > 0 && (
        <Card title="Also noticed" note="nothing needs to be done about it">
          <ul className="flex flex-col gap-1">
            {view.notes.map((note) => (
              <li key={note.class} className="max-w-[80ch]">
                {note.text}{' '}
                <span className="tnum text-table text-muted">
                  {`line ${note.line}${note.count > 1 ? ` and ${note.count - 1} more` : ''}`}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

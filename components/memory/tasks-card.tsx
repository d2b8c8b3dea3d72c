import { Badge, type Tone } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { formatCount, formatQuantity } from '@/lib/view/format'
import type { MemoryView, TreeView } from '@/lib/view/memory'
import type { TaskLine } from '@/lib/view/task-lines'

const TONES: { readonly [S in TaskLine['state']]: Tone } = {
  pending: 'neutral',
  ready: 'accent',
  waiting: 'neutral',
  ring: 'danger',
  active: 'accent',
  done: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
}

/** The tasks of agents, one tree for each session. */
export function TasksCard({
  trees,
  total,
  folders,
}: {
  trees: readonly TreeView[]
  /** Sessions with tasks, those that are not shown included. */
  total: number
  folders: MemoryView['folders']
}) {
  if (trees.length === 0)
    return (
      <Card title="Working memory">
        <EmptyState
          title="No agent keeps tasks"
          probes={folders.map(({ path, found }) => ({
            path,
            kind: 'memory',
            found,
            why: 'where agents that use the library keep their memory',
            problem: null,
          }))}
        >
          <p>
            An agent that works through tasks with the library keeps them here: what each came to stays, its
            details leave the window, and the next one gets what it depends on.
          </p>
        </EmptyState>
      </Card>
    )
  const cards = trees.map(({ session, lines, hidden, sums }) => (
    <Card
      key={session}
      title={
        <>
          Working memory of <span className="isolate-text font-mono">{session}</span>
        </>
      }
      note={`${formatCount(sums.done)} of ${formatCount(sums.total)} tasks done${sums.rings > 0 ? `; ${formatQuantity(sums.rings, 'ring')} of tasks that wait for each other` : ''}`}
      flush
    >
      <ul aria-label={`Tasks of ${session}`}>
        {lines.map((line) => (
          <TaskItem key={line.id} line={line} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="border-t border-line px-4 py-2 text-label text-muted">
          {`${formatQuantity(hidden, 'more task')}, done or waiting: `}
          <code className="isolate-text">{`plimsoll tasks --session ${session}`}</code>
        </p>
      )}
    </Card>
  ))
  return (
    <>
      {cards}
      {total > trees.length && (
        <p className="text-label text-muted">
          {`Tasks of the ${formatCount(trees.length)} sessions that were written last; of all ${formatCount(total)}: `}
          <code>plimsoll tasks</code>
        </p>
      )}
    </>
  )
}

/** Steps to the right; deeper ones stand at the last. */
const INDENTS = ['pl-4', 'pl-8', 'pl-12', 'pl-16', 'pl-20'] as const

function TaskItem({ line }: { line: TaskLine }) {
  const { id, title, depth, state, waits, ring, summary, artifacts, priority } = line
  return (
    <li
      className={`border-b border-line py-2 pr-4 last:border-0 ${INDENTS[Math.min(depth, INDENTS.length - 1)]}`}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="isolate-text font-mono text-table">{id}</span>
        <span className="isolate-text min-w-0">{title}</span>
        <Badge tone={TONES[state]}>{state}</Badge>
        {priority !== 0 && <span className="tnum text-label text-muted">{`priority ${priority}`}</span>}
      </p>
      {ring.length > 0 && (
        <p className="isolate-text text-label text-danger">{`Waits in a ring: ${[...ring, ring[0]].join(' → ')}`}</p>
      )}
      {ring.length === 0 && waits.length > 0 && (
        <p className="isolate-text text-label text-muted">
          {`Waits for ${waits.map((wait) => `${wait.id} (${wait.why})`).join(', ')}`}
        </p>
      )}
      {summary !== null && (
        <p className="isolate-text max-w-[80ch] text-table whitespace-pre-wrap">{summary}</p>
      )}
      {artifacts.length > 0 && (
        <p className="isolate-text font-mono text-label text-muted">{artifacts.join('  ')}</p>
      )}
    </li>
  )
}

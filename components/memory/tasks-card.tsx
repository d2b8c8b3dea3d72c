import { HostileText } from '@/components/entry/hostile-text'
import { Badge, type Tone } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import type { MemoryView, TreeView } from '@/lib/view/memory/memory'
import type { TaskLine } from '@/lib/view/memory/task-lines'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

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
  const which =
    total > trees.length
      ? `Of the ${formatCount(trees.length)} sessions that were written last; “plimsoll tasks” lists all ${formatCount(total)}`
      : 'By session, the one that was written last first'
  return (
    <Card title="Working memory" note={which} flush>
      {trees.map((tree, place) => (
        <Tree key={tree.session} tree={tree} isFirst={place === 0} />
      ))}
    </Card>
  )
}

function Tree({ tree, isFirst }: { tree: TreeView; isFirst: boolean }) {
  const { session, lines, hidden, sums } = tree
  const rings =
    sums.rings > 0 ? `; ${formatQuantity(sums.rings, 'ring')} of tasks that wait for each other` : ''
  return (
    <details open={isFirst} className="border-t border-line">
      <summary className="cursor-pointer px-4 py-2">
        <span className="isolate-text font-mono">
          <HostileText text={session} />
        </span>{' '}
        <span className="tnum text-label text-muted">
          {`${formatCount(sums.done)} of ${formatCount(sums.total)} tasks done${rings}`}
        </span>
      </summary>
      <ul aria-label={`Tasks of ${session}`} className="border-t border-line">
        {lines.map((line) => (
          <TaskItem key={line.id} line={line} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="border-t border-line px-4 py-2 text-label text-muted">
          {`${formatQuantity(hidden, 'task')} more, done or less pressing; “plimsoll tasks --session” with the session’s name lists all.`}
        </p>
      )}
    </details>
  )
}

/** Steps to the right; deeper ones are at the last. */
const INDENTS = ['pl-4', 'pl-8', 'pl-12', 'pl-16', 'pl-20'] as const

function TaskItem({ line }: { line: TaskLine }) {
  const { id, title, depth, state, waits, ring, summary, artifacts, priority } = line
  return (
    <li
      className={`border-b border-line py-2 pr-4 last:border-0 ${INDENTS[Math.min(depth, INDENTS.length - 1)]}`}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="isolate-text font-mono text-table">
          <HostileText text={id} />
        </span>
        <span className="isolate-text min-w-0">
          <HostileText text={title} />
        </span>
        <Badge tone={TONES[state]}>{state}</Badge>
        {priority !== 0 && <span className="tnum text-label text-muted">{`priority ${priority}`}</span>}
      </p>
      {ring.length > 0 && (
        <p className="isolate-text text-label text-danger">
          Waits in a ring: <HostileText text={[...ring, ring[0]].join(' → ')} />
        </p>
      )}
      {ring.length === 0 && waits.length > 0 && (
        <p className="isolate-text text-label text-muted">
          Waits for <HostileText text={waits.map((wait) => `${wait.id} (${wait.why})`).join(', ')} />
        </p>
      )}
      {summary !== null && (
        <p className="isolate-text max-w-[80ch] text-table whitespace-pre-wrap">
          <HostileText text={summary} />
        </p>
      )}
      {artifacts.length > 0 && (
        <p className="isolate-text font-mono text-label text-muted">
          <HostileText text={artifacts.join('  ')} />
        </p>
      )}
    </li>
  )
}

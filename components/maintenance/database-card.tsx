'use client'

import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import type { StartAnswer } from '@/lib/view/jobs/job-answers'
import type { CleanupAnswer, CleanupLine, CleanupView, CleanupWishes } from '@/lib/view/maintenance/cleanup'
import type { DatabaseView } from '@/lib/view/maintenance/maintenance'
import { formatQuantity } from '@/lib/view/text/format'
import { Wishes } from './wishes'

const NO_WISHES: CleanupWishes = { active: null, fixMissing: false }

/** The dry run of OpenClaw's own maintenance of one database, and the way to have it applied. */
export function DatabaseCard({
  database,
  busy,
  ask,
  onRun,
}: {
  database: DatabaseView
  /** A job works on this store already. */
  busy: boolean
  /** Runs OpenClaw's command, which takes some seconds. */
  ask: (wishes: CleanupWishes) => Promise<CleanupAnswer>
  /** Begins to apply the plan that this names, asked with the same wishes. */
  onRun: (wishes: CleanupWishes, fingerprint: string) => Promise<StartAnswer>
}) {
  const [asking, start] = useTransition()
  const [wishes, setWishes] = useState(NO_WISHES)
  const [answer, setAnswer] = useState<CleanupAnswer | null>(null)
  /** What it answered was asked with other wishes. It stays where it is, so that nothing moves under a click. */
  const [stale, setStale] = useState(false)
  const [confirming, setConfirming] = useState<CleanupView | null>(null)
  const plan = answer?.kind === 'planned' ? answer.plan : null
  return (
    <Card
      title={`OpenClaw’s own maintenance: ${database.name}`}
      note={<code className="isolate-text break-all">{database.database}</code>}
    >
      <div className="flex flex-col gap-3">
        <p className="max-w-[80ch] text-table text-muted">
          Only OpenClaw itself changes its database. Its command is asked what it would do; nothing is changed
          by that.
        </p>
        <Wishes
          name={database.name}
          wishes={wishes}
          disabled={asking || busy}
          onChange={(next) => {
            setWishes(next)
            setStale(true)
          }}
        />
        {answer?.kind === 'refused' && (
          <ErrorState title="There is no dry run of this database" detail={answer.problem} />
        )}
        {plan !== null && <Plan plan={plan} />}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            kind={plan === null || stale ? 'primary' : 'plain'}
            disabled={asking || busy}
            onClick={() =>
              start(async () => {
                setAnswer(await ask(wishes))
                setStale(false)
              })
            }
            aria-label={`Ask OpenClaw what it would do to ${database.name}`}
          >
            {asking ? 'Asking …' : answer === null ? 'Ask OpenClaw' : 'Ask again'}
          </Button>
          {plan !== null && !plan.empty && !stale && (
            <Button
              kind="primary"
              disabled={asking || busy}
              onClick={() => setConfirming(plan)}
              aria-label={`Have OpenClaw run it for ${database.name}`}
            >
              Apply it…
            </Button>
          )}
          <p className="text-table text-muted">{hint(plan, busy, stale)}</p>
        </div>
      </div>
      {confirming !== null && (
        <Confirm
          name={database.name}
          plan={confirming}
          run={() => onRun(wishes, confirming.fingerprint)}
          onClose={(begun) => {
            setConfirming(null)
            // What it was asked is not what it would do after that.
            if (begun) setAnswer(null)
          }}
        />
      )}
    </Card>
  )
}

function hint(plan: CleanupView | null, busy: boolean, stale: boolean): string {
  if (busy) return 'A job works on this store; see above.'
  if (plan === null) return ''
  if (stale) return 'That was its answer to something else. Ask again.'
  return plan.empty ? 'Nothing to do: everything is within its limits.' : 'Nothing has been changed yet.'
}

function Plan({ plan }: { plan: CleanupView }) {
  return (
    <>
      <p className="tnum text-table">
        {`${formatQuantity(plan.before, 'session')} in the index now, ${plan.after} afterwards.`}
      </p>
      {plan.lines.length > 0 && <Lines lines={plan.lines} />}
      {plan.lines.length === 0 && !plan.empty && (
        <p className="text-table text-attention">It would change something that it does not count.</p>
      )}
    </>
  )
}

function Lines({ lines }: { lines: readonly CleanupLine[] }) {
  return (
    <ul aria-label="What OpenClaw would do" className="flex flex-col gap-1 text-table">
      {lines.map(({ key, what, does, why }) => (
        <li key={key} className="flex flex-wrap items-baseline gap-x-3">
          <span className="tnum font-medium">{what}</span>
          <span>{does}</span>
          <span className="text-muted">{why}</span>
        </li>
      ))}
    </ul>
  )
}

function Confirm({
  name,
  plan,
  run,
  onClose,
}: {
  name: string
  plan: CleanupView
  run: () => Promise<StartAnswer>
  onClose: (begun: boolean) => void
}) {
  const [busy, start] = useTransition()
  const [problem, setProblem] = useState<string | null>(null)

  function confirm() {
    start(async () => {
      const answer = await run()
      if (answer.kind === 'started') onClose(true)
      else setProblem(answer.problem)
    })
  }

  return (
    <Dialog open onClose={() => onClose(false)} title={`Have OpenClaw maintain ${name}?`}>
      <div className="flex flex-col gap-3">
        <Lines lines={plan.lines} />
        <ul className="list-disc pl-5 text-table">
          <li>OpenClaw does it, through its gateway if that runs. It cannot be undone from here.</li>
          <li>
            Afterwards every row of the database is compared with what was announced, and a receipt is kept.
          </li>
          <li>If OpenClaw would do something else by then, it is refused, and nothing changes.</li>
        </ul>
        {problem !== null && <ErrorState title="It was not begun" detail={problem} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button kind="primary" disabled={busy} onClick={confirm}>
            {busy ? 'Beginning …' : 'Have it done'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

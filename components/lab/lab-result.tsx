import { Card } from '@/components/ui/card'
import type { OpenExperiment } from '@/lib/view/lab/lab-page'
import { ASSUMPTION, REGRET_IS } from '@/lib/view/lab/result-words'
import { FrontierCard } from './frontier-card'
import { PolicyTable } from './policy-table'
import { RegretsCard } from './regrets-card'
import { ReplayedSessionsCard } from './replayed-sessions-card'
import { TuneCard } from './tune-card'

/** What came of an experiment: what it rests on, the policies as drawing and table, evidence, and its sessions. */
export function LabResult({
  experiment,
  outcome: { result, regrets, tune },
}: {
  experiment: string
  outcome: NonNullable<OpenExperiment['outcome']>
}) {
  return (
    <>
      <Card title="What this rests on">
        <div className="flex max-w-[90ch] flex-col gap-2 text-table">
          <p className="tnum">{`${result.scope} All figures are estimated, ${ASSUMPTION}; ranges are 95 % intervals over sessions.`}</p>
          {result.warning !== null && <p className="text-attention">{`▲ ${result.warning}`}</p>}
          {result.ranged !== null && <p className="text-attention">{`▲ ${result.ranged}`}</p>}
          <p className="tnum text-muted">{result.excluded}</p>
          {result.weighing !== null && <p className="tnum text-muted">{result.weighing}</p>}
          <p className="text-muted">{REGRET_IS}</p>
        </div>
      </Card>
      {tune !== null && <TuneCard tune={tune} />}
      <FrontierCard experiment={experiment} result={result} />
      <PolicyTable rows={result.rows} />
      {regrets !== null && <RegretsCard experiment={experiment} regrets={regrets} />}
      <ReplayedSessionsCard sessions={result.sessions} problems={result.problems} />
    </>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { FilterInput } from '@/components/ui/filter-inputs'
import { PageLink } from '@/components/ui/page-link'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { useSettled } from '@/components/ui/use-settled'
import {
  AIMS,
  type CutoffParams,
  cutoffQueryText,
  parseCutoffParams,
  type TrialFigures,
  type TrialView,
  trialFigures,
} from '@/lib/view/activity/cutoff'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'
import { trialQuery } from './cutoff-query'

const REST_MS = 400

/** Both settings tried on the same recorded sessions: tokens saved, and later needs still met. */
export function CutoffTrialCard({
  params,
  onFrom,
}: {
  params: CutoffParams
  onFrom: (from: number | null) => void
}) {
  const [runs, setRuns] = useState(false)
  const settled = useSettled(cutoffQueryText(params), REST_MS)
  const asked = parseCutoffParams((name) => new URLSearchParams(settled).get(name))
  const { data, error, isFetching } = useQuery({ ...trialQuery(asked), enabled: runs })
  return (
    <Card
      title="Trial on transcripts"
      note="the record is held fixed: a model that lacked something would have gone on in another way"
      aside={
        <>
          <FilterInput
            label="Passes from tokens"
            type="number"
            step={1000}
            value={params.from === null ? '' : String(params.from)}
            onChange={(text) => onFrom(/^[1-9]\d*$/.test(text) ? Number(text) : null)}
          />
          <Button kind="primary" disabled={runs} onClick={() => setRuns(true)}>
            {isFetching ? 'Trying …' : 'Try both'}
          </Button>
        </>
      }
      flush
    >
      {!runs && (
        <p className="max-w-[80ch] px-4 pb-3 text-table text-muted">
          Goes through recorded sessions, scores every chunk as the policy would have, drops what each setting
          would drop, and counts what later calls wrote that was only in what was gone. Nothing is written.
        </p>
      )}
      {error !== null && <ErrorState title="It could not be tried" detail={error.message} />}
      {runs && data === undefined && error === null && (
        <div className="px-4">
          <LoadingNote what="the trial" />
          <Skeleton className="h-32 w-full" />
        </div>
      )}
      {data !== undefined && <Outcome trial={data} />}
    </Card>
  )
}

function Outcome({ trial }: { trial: TrialView }) {
  const { sessions, before, after, from, scorer, problems } = trial
  if (sessions.length === 0)
    return (
      <p className="px-4 pb-3 text-table text-muted">
        {problems.length > 0 ? problems.join(' ') : 'There is no transcript to try it on.'}
      </p>
    )
  const [one, two] = [trialFigures(before.result), trialFigures(after.result)]
  const reached = before.result.passes + after.result.passes > 0
  const range =
    from.lowest === from.highest
      ? formatCount(from.lowest)
      : `${formatCount(from.lowest)} to ${formatCount(from.highest)}`
  return (
    <div data-testid="trial">
      <Table caption="Both settings on the same transcripts">
        <thead>
          <tr>
            <Th>Figure</Th>
            <Th numeric>{`Before (${before.setting.cutoff} / ${before.setting.keep})`}</Th>
            <Th numeric>{`After (${after.setting.cutoff} / ${after.setting.keep})`}</Th>
            <Th>Aim</Th>
          </tr>
        </thead>
        <tbody>
          <Figure
            name="fewer tokens sent"
            of={(f) => f.fewerTokens}
            figures={[one, two]}
            aim={AIMS.fewerTokens}
          />
          <Figure
            name="later needs met, at least"
            of={(f) => f.retention}
            figures={[one, two]}
            aim={AIMS.retention}
          />
          <Figure name="at most, if summaries hold them" of={(f) => f.retentionMost} figures={[one, two]} />
          <Figure name="needs older than ten calls met" of={(f) => f.longRetention} figures={[one, two]} />
          <Tr>
            <Th scope="row">later needs, by weight</Th>
            <Td numeric>{before.result.needs.all.toFixed(1)}</Td>
            <Td numeric>{after.result.needs.all.toFixed(1)}</Td>
            <Td />
          </Tr>
          {(['dropped', 'summarised', 'passes'] as const).map((count) => (
            <Tr key={count}>
              <Th scope="row">{count === 'passes' ? 'passes' : `chunks ${count}`}</Th>
              <Td numeric>{formatCount(before.result[count])}</Td>
              <Td numeric>{formatCount(after.result[count])}</Td>
              <Td />
            </Tr>
          ))}
        </tbody>
      </Table>
      <p className="max-w-[100ch] px-4 py-2 text-label text-muted">
        {`Estimated, by the ${scorer} scorer, on ${formatQuantity(before.result.calls, 'call')}. Passes were due from ${range} tokens in the context on. A need is something rare that a call wrote and that was only in what was gone; paraphrase is not seen. Of: `}
        {sessions.map(({ id, title }, i) => (
          <span key={id}>
            {i > 0 && ', '}
            <PageLink href={`/sessions/${id}`} className="isolate-text text-accent underline">
              {title}
            </PageLink>
          </span>
        ))}
      </p>
      {!reached && (
        <p className="max-w-[80ch] px-4 pb-3 text-table text-attention">
          No pass was ever due: these contexts stayed below the line. Set a lower number of tokens above to
          try it all the same.
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} className="isolate-text px-4 pb-2 text-table text-attention">
          {problem}
        </p>
      ))}
    </div>
  )
}

function Figure({
  name,
  of,
  figures,
  aim,
}: {
  name: string
  of: (figures: TrialFigures) => number | null
  figures: readonly [TrialFigures, TrialFigures]
  aim?: number
}) {
  return (
    <Tr>
      <Th scope="row">{name}</Th>
      {figures.map((one, i) => {
        const value = of(one)
        const misses = value !== null && aim !== undefined && value < aim
        return (
          <Td key={i === 0 ? 'before' : 'after'} numeric className={misses ? 'text-attention' : undefined}>
            {value === null ? '?' : `${formatPercent(value)}\u202f≈`}
            {aim !== undefined && value !== null && (
              <span className="block text-label">{misses ? 'not reached' : 'reached'}</span>
            )}
          </Td>
        )
      })}
      <Td>{aim === undefined ? '' : `≥ ${formatPercent(aim)}`}</Td>
    </Tr>
  )
}

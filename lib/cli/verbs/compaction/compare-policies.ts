import { dryRunPorts } from '../../../compose/compaction'
import type { Policy } from '../../../core/policy/policy'
import { comparePlans } from '../../../engine/compaction/compare-plans'
import { openPlanSource } from '../../../engine/compaction/plan-session'
import type { InspectedSession } from '../../../engine/read/inspect-session'
import {
  type ComparisonRow,
  type ComparisonView,
  comparisonView,
} from '../../../view/compaction/plan-comparison'
import { trialCandidates } from '../../../view/policy/policy-trial'
import { formatCount } from '../../../view/text/format'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import type { Sources } from '../../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { figureCell, figureJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'

type CompareOptions = Pick<ReadVerbOptions, 'json'> & {
  readonly call: number | 'last' | 'next'
  /** Leave the policies' models out. */
  readonly digest?: boolean
}

/** `compact --compare`: what the policy chosen and every preset would make of a session. Writes nothing. */
export async function comparePolicyPlans(
  io: Io,
  { call, json, digest = false }: CompareOptions,
  { reader }: Sources,
  session: InspectedSession,
  policy: Policy,
): Promise<ExitCode> {
  const source = await openPlanSource(reader, session, call)
  const { sessionId, path } = session.transcript
  if (source === null) throw new CliError(EXIT.usage, `${sessionId} has no call ${call}.`)
  const ports = dryRunPorts(setupOrFail(io), io.env, reader)
  const view = comparisonView(await comparePlans(ports, source, trialCandidates(policy, null), { digest }))
  if (json) await writeJson(io, comparisonJson(view, { session: sessionId, file: path, call: source.call }))
  else await write(io.stdout, `${view.sentence}\n\n${comparisonText(view.rows)}`)
  return EXIT.done
}

function comparisonJson(
  { rows, sentence }: ComparisonView,
  place: { readonly session: string; readonly file: string; readonly call: number | 'next' },
) {
  return {
    ...place,
    sentence,
    policies: rows.map(({ name, line, crossed, chunks, summaryTokens, usd, nothing, sameAs, ...row }) => ({
      policy: name === 'effective' ? 'in force' : name,
      compactsAt: line,
      wouldHave: { times: crossed.times, firstCall: crossed.first },
      tokensBefore: figureJson(row.tokensBefore),
      tokensAfter: figureJson(row.tokensAfter),
      chunks,
      summaryTokens,
      usd,
      nothing,
      sameAs: sameAs === 'effective' ? 'in force' : sameAs,
    })),
  }
}

function comparisonText(rows: readonly ComparisonRow[]): string {
  const chunks = (count: number | undefined) => (count === undefined ? '–' : formatCount(count))
  return renderTable(rows, [
    { title: 'POLICY', cell: ({ words }) => words },
    { title: 'COMPACTS AT', align: 'right', cell: ({ line }) => (line === null ? '–' : formatCount(line)) },
    { title: 'WOULD HAVE', cell: ({ fires }) => fires },
    { title: 'AFTER', align: 'right', cell: ({ tokensAfter }) => figureCell(tokensAfter) },
    { title: 'KEPT', align: 'right', cell: (row) => chunks(row.chunks?.keep) },
    {
      title: 'SUMMARISED',
      align: 'right',
      cell: (row) => chunks(row.chunks === null ? undefined : row.chunks.summarise + row.chunks.prune),
    },
    { title: 'DROPPED', align: 'right', cell: (row) => chunks(row.chunks?.drop) },
    { title: 'NOTE', cell: ({ note }) => note },
  ])
}

import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import type { ExperimentResult } from '../../core/replay/experiment-result'
import { labResultView } from '../../view/lab/lab-result'
import { whyUnmet } from '../../view/lab/regrets'
import { ASSUMPTION, REGRET_IS } from '../../view/lab/result-words'
import { tuneView } from '../../view/lab/tune-view'
import { formatCount, formatPercent } from '../../view/text/format'
import { shownText } from '../../view/text/shown-text'
import type { CheckedLimit } from '../choose/replay-limits'
import { renderTable } from './table'

/** Of the first policy that leaves some, so many unmet needs are printed. */
const SHOWN = 5

/** A result as a document for programs; credentials are covered. */
export function resultJson(result: ExperimentResult) {
  const { versions, weighing, sessions, problems, policies, tune } = result
  const covered = (value: unknown) => maskValue('', value, maskSecrets)
  return {
    assumption: ASSUMPTION,
    versions,
    weighing,
    sessions: covered(sessions),
    problems: covered(problems),
    policies: covered(policies),
    tune: covered(tune),
  }
}

/** The same for a reader: what it rests on, the policies as a table, what would have been missing, the sessions. */
export function resultText(result: ExperimentResult, limits: readonly CheckedLimit[]): string {
  const view = labResultView(result)
  const lines = [view.scope, view.warning, view.ranged, view.excluded, view.weighing].filter(
    (line) => line !== null,
  )
  const policies = renderTable(view.rows, [
    { title: 'POLICY', cell: ({ name, roleWords }) => (roleWords === '' ? name : `${name} (${roleWords})`) },
    { title: 'SAVING', align: 'right', cell: ({ saving }) => saving },
    { title: 'LONG-RANGE RECALL', align: 'right', cell: ({ longRecall }) => longRecall },
    { title: 'RECALL', align: 'right', cell: ({ recall }) => recall },
    { title: 'LOST', align: 'right', cell: ({ lost }) => lost },
    { title: 'RULES KEPT', align: 'right', cell: ({ rules }) => rules },
    { title: 'COST', align: 'right', cell: ({ usd }) => usd },
    { title: 'REWRITES', align: 'right', cell: ({ rewrites }) => rewrites },
  ])
  const sessions = renderTable(view.sessions, [
    { title: 'SESSION', max: 48, cell: ({ title }) => title },
    { title: 'CALLS', align: 'right', cell: ({ calls }) => calls },
    { title: 'NEEDS', align: 'right', cell: ({ needs }) => needs },
    { title: 'SHARE', align: 'right', cell: ({ share }) => share },
    { title: 'CALIBRATION', cell: ({ fit, isRanged }) => (isRanged ? `${fit} (range)` : fit) },
  ])
  return maskSecrets(
    [
      `${lines.join('\n')}\n`,
      `\nEstimated, ${ASSUMPTION}; in brackets 95 % intervals over sessions:\n\n${policies}`,
      evidenceText(result),
      `\n${sessions}`,
      limits.length === 0 ? '' : `\n${limits.map(limitText).join('\n')}\n`,
    ].join(''),
  )
}

function evidenceText({ policies }: ExperimentResult): string {
  const chosen = policies.find(({ role, unmet }) => unmet > 0 && role !== 'random' && role !== 'oracle')
  if (chosen === undefined) return ''
  const rows = chosen.regrets.slice(0, SHOWN)
  const list = rows.map(
    (regret) =>
      `  ${shownText(regret.text).slice(0, 80)} (weight ${regret.weight.toFixed(2)})\n    ${whyUnmet(regret)}`,
  )
  return `\nHeaviest of ${formatCount(chosen.unmet)} needs that ${chosen.name} leaves unmet:\n${list.join('\n')}\n${REGRET_IS}\n`
}

function limitText({ policy, limit, wanted, value, isKept }: CheckedLimit): string {
  const is = value === null ? 'unknown' : formatPercent(value)
  return `${isKept ? 'kept' : 'MISSED'}: --${limit} ${wanted} by ${policy}: ${is}`
}

/** What a tuning found, for a reader: whether it gains, on what it was tested, and the values of each pick. */
export function tuneText(result: ExperimentResult): string {
  const view = tuneView(result)
  if (view === null) return ''
  const picks = view.picks.map(({ label, about, values }) => {
    const table = renderTable(values, [
      { title: '  VALUE', cell: ({ path }) => `  ${path}` },
      { title: 'DRAFT → PICK', cell: ({ value }) => value },
    ])
    return `\n${label}: ${about}\n${values.length === 0 ? '  the draft itself\n' : table}`
  })
  return maskSecrets(`${view.verdict}\n${view.split}\n${picks.join('')}`)
}

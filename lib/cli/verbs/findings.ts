import { governingOf } from '../../compose/governing'
import { openPolicies } from '../../compose/policies'
import { coverFinding } from '../../core/findings/cover-finding'
import { isAtLeast, type SessionFinding, type Severity } from '../../core/findings/finding'
import { groupByCause } from '../../core/findings/finding-groups'
import { examineSession } from '../../engine/findings/examine-session'
import { examineStores, isWanted, type StoreFindings } from '../../engine/findings/examine-stores'
import { formatCount } from '../../view/text/format'
import { findSession } from '../choose/find-session'
import type { Since } from '../choose/parse-values'
import { beginningOf } from '../choose/period'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { EXIT, type ExitCode, type Io } from '../io'
import { figureJson, timeJson } from '../print/figure-json'
import { note, write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'

export type FindingsOptions = ReadVerbOptions & {
  readonly session?: string
  readonly since?: Since
  readonly severity: Severity
  /** A finding of this severity or a worse one says no. */
  readonly failOn?: Severity
}

/** Sessions of one cause that are named in the text; the document has them all. */
const SESSIONS_SHOWN = 3

/**
 * What is wrong or dear, straight from the transcripts: in one session, or in those of a period (all of them, unless one
 * is given).
 */
export async function findings(io: Io, options: FindingsOptions): Promise<ExitCode> {
  const now = Date.now()
  const setup = setupOrFail(io)
  const sources = await openSources(io, options.store)
  const documents = await openPolicies(setup, sources.stores)
    .documents()
    .catch(() => [])
  const { loads } = await governingOf(setup, documents, sources.stores)
  const ports = { reader: sources.reader, loads, prices: setup.settings.prices, now }
  const from = beginningOf(options.since ?? 'all', now)
  const filter = { from, severity: options.severity }
  let found: StoreFindings
  if (options.session === undefined) found = await examineStores(ports, await sources.listAll(), filter)
  else {
    const { store, transcript } = await findSession(io, sources, options.session)
    const all = await examineSession(ports, store, transcript)
    found = { findings: all.filter((finding) => isWanted(finding, filter)), sessions: 1, problems: [] }
  }
  found = { ...found, findings: found.findings.map(coverFinding) }
  if (options.json)
    await writeJson(io, {
      findings: found.findings.map(findingJson),
      sessions: found.sessions,
      problems: found.problems,
    })
  else await write(io.stdout, toText(found))
  for (const { file, problem } of options.json ? [] : found.problems) await note(io, `${file}: ${problem}`)
  const { failOn } = options
  const says = failOn !== undefined && found.findings.some((finding) => isAtLeast(finding, failOn))
  return says ? EXIT.no : EXIT.done
}

/** A finding in documents for programs. Names that came from transcripts are covered where they hold credentials. */
function findingJson({
  evidence,
  cost,
  concerns,
  remedies,
  firstSeen,
  lastSeen,
  ...finding
}: SessionFinding) {
  const { calls, lines, times, before, after } = evidence
  return {
    id: finding.id,
    kind: finding.kind,
    severity: finding.severity,
    confidence: finding.confidence,
    session: concerns.sessionId,
    agent: concerns.agent,
    model: concerns.model,
    times,
    calls,
    lines,
    before,
    after,
    cost: {
      tokens: figureJson(cost.tokens),
      usd: figureJson(cost.usd),
      calls: figureJson(cost.calls),
      unpricedCalls: cost.unpriced,
    },
    remedy: remedies,
    sentence: finding.sentence,
    cause: finding.cause,
    firstSeen: timeJson(firstSeen),
    lastSeen: timeJson(lastSeen),
  }
}

function toText({ findings: found, sessions }: StoreFindings): string {
  const examined = `${formatCount(sessions)} ${sessions === 1 ? 'session' : 'sessions'}`
  if (found.length === 0) return `Nothing was found in ${examined}.\n`
  const groups = groupByCause(found)
  return groups.map(groupText).join('\n')
}

function groupText({ worst, sessions, findings: found }: ReturnType<typeof groupByCause>[number]): string {
  const { severity, sentence, remedies, evidence } = worst
  const same = sessions > 1 ? ` (the same cause in ${formatCount(sessions)} sessions)` : ''
  const named = found.slice(0, SESSIONS_SHOWN).map(({ concerns }) => concerns.sessionId ?? '?')
  const more = found.length > named.length ? ` and ${formatCount(found.length - named.length)} more` : ''
  const where = [
    evidence.calls.length === 0 ? '' : `calls ${list(evidence.calls)}`,
    evidence.lines.length === 0 ? '' : `lines ${list(evidence.lines)}`,
  ].filter((part) => part !== '')
  const lines = [
    `${severity.toUpperCase()}  ${sentence}${same}`,
    `  in ${named.join(', ')}${more}${where.length === 0 ? '' : `: ${where.join('; ')}`}`,
    ...remedies.slice(0, 1).map(({ words }) => `  ${words}`),
  ]
  return lines.map((line) => `${toTerminal(line)}\n`).join('')
}

function list(numbers: readonly number[]): string {
  return numbers.slice(0, 5).join(', ') + (numbers.length > 5 ? ' …' : '')
}

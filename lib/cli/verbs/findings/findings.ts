import { openPolicies } from '../../../compose/policy/policies'
import { governingOf } from '../../../compose/stores/governing'
import { judgedStores, storeFacts } from '../../../compose/stores/store-facts'
import { readMutes } from '../../../config/mutes'
import { coverFinding } from '../../../core/findings/cover-finding'
import { compareFindings, isAtLeast, type Severity } from '../../../core/findings/finding'
import { groupByCause } from '../../../core/findings/finding-groups'
import { muteOf } from '../../../core/findings/mutes'
import { storeFindings } from '../../../core/findings/stores/store-findings'
import type { PickName } from '../../../core/replay/tune/tune-state'
import { examineSession } from '../../../engine/findings/examine-session'
import { examineStores, isWanted, type StoreFindings } from '../../../engine/findings/examine-stores'
import { formatCount } from '../../../view/text/format'
import { findSession } from '../../choose/find-session'
import type { Since } from '../../choose/parse-values'
import { beginningOf } from '../../choose/period'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import { openSources } from '../../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { findingJson } from '../../print/finding-json'
import { note, write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'
import { muteJson } from './findings-mute'

export type FindingsOptions = ReadVerbOptions & {
  /** A session, or one of `FINDING_ACTIONS`. */
  readonly what?: string
  /** What the action is about. */
  readonly ids?: readonly string[]
  readonly dryRun?: boolean
  readonly pick?: PickName
  readonly replay?: boolean
  /** List what is muted as well. */
  readonly muted?: boolean
  readonly reason?: string
  readonly until?: number
  readonly cause?: boolean
  /** Of `apply`: the code of a rule that is to be pinned. */
  readonly rule?: string
  readonly key?: string
  readonly since?: Since
  readonly severity: Severity
  /** A finding of this severity or a worse one says no. */
  readonly failOn?: Severity
}

/** Sessions of one cause that are named in the text; the document has them all. */
const SESSIONS_SHOWN = 3

/** What can be done with findings besides listing them. */
const FINDING_ACTIONS = ['apply', 'verify', 'mute', 'unmute'] as const

/** Lists findings, or does something about one. */
export async function findings(io: Io, options: FindingsOptions): Promise<ExitCode> {
  const { what, ids = [] } = options
  const action = FINDING_ACTIONS.find((name) => name === what)
  const [id, ...more] = ids
  if (action === undefined) {
    if (id !== undefined)
      throw new CliError(
        EXIT.usage,
        `findings takes one session, or ${FINDING_ACTIONS.join(', ')} and the id of a finding; not ${JSON.stringify(id)}.`,
      )
    return list(io, { ...options, ...(what === undefined ? {} : { session: what }) })
  }
  if (action === 'verify' && more.length === 0)
    return (await import('./findings-verify')).verifyFindings(io, {
      ...options,
      ...(id === undefined ? {} : { finding: id }),
    })
  if (id === undefined || more.length > 0)
    throw new CliError(
      EXIT.usage,
      `findings ${action} needs the id of one finding. "plimsoll findings --json" lists them.`,
    )
  if (action === 'apply')
    return (await import('./findings-apply')).applyFinding(io, { ...options, finding: id })
  const verbs = await import('./findings-mute')
  return action === 'mute'
    ? verbs.muteFinding(io, { ...options, finding: id })
    : verbs.unmuteFinding(io, { ...options, finding: id })
}

type ListOptions = Omit<FindingsOptions, 'what' | 'ids'> & { readonly session?: string }

/**
 * What is wrong or dear, straight from the transcripts: in one session, or in those of a period (all of them, unless one
 * is given).
 */
async function list(io: Io, options: ListOptions): Promise<ExitCode> {
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
  let one: string | null = null
  if (options.session === undefined) found = await examineStores(ports, await sources.listAll(), filter)
  else {
    const { store, transcript } = await findSession(io, sources, options.session)
    one = transcript.id
    const { findings: all } = await examineSession(ports, store, transcript)
    found = { findings: all.filter((finding) => isWanted(finding, filter)), sessions: 1, problems: [] }
  }
  const ofStores = (await storeFacts(setup, judgedStores(await sources.listAll()), now))
    .flatMap(storeFindings)
    .filter((finding) => isWanted(finding, filter) && (one === null || finding.concerns.transcriptId === one))
  if (ofStores.length > 0)
    found = { ...found, findings: [...found.findings, ...ofStores].sort(compareFindings) }
  const mutes = readMutes(setup.environment.home)
  const muted = found.findings.filter((finding) => muteOf(finding, mutes, now) !== null)
  const shown =
    options.muted === true ? found.findings : found.findings.filter((finding) => !muted.includes(finding))
  found = { ...found, findings: shown.map(coverFinding) }
  if (options.json)
    await writeJson(io, {
      findings: found.findings.map((finding) => {
        const mute = muteOf(finding, mutes, now)
        return { ...findingJson(finding), muted: mute === null ? null : muteJson(mute) }
      }),
      muted: muted.length,
      sessions: found.sessions,
      problems: found.problems,
    })
  else await write(io.stdout, toText(found) + mutedText(muted.length, options.muted === true))
  for (const { file, problem } of options.json ? [] : found.problems) await note(io, `${file}: ${problem}`)
  const { failOn } = options
  const says =
    failOn !== undefined &&
    found.findings.some((finding) => isAtLeast(finding, failOn) && muteOf(finding, mutes, now) === null)
  return says ? EXIT.no : EXIT.done
}

function mutedText(count: number, shown: boolean): string {
  if (count === 0) return ''
  return shown
    ? `${formatCount(count)} of these ${count === 1 ? 'is' : 'are'} muted.\n`
    : `${formatCount(count)} muted ${count === 1 ? 'one is' : 'ones are'} left out; --muted lists ${count === 1 ? 'it' : 'them'}.\n`
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
    evidence.calls.length === 0 ? '' : `calls ${firstOf(evidence.calls)}`,
    evidence.lines.length === 0 ? '' : `lines ${firstOf(evidence.lines)}`,
  ].filter((part) => part !== '')
  const lines = [
    `${severity.toUpperCase()}  ${sentence}${same}`,
    `  ${worst.id} in ${named.join(', ')}${more}${where.length === 0 ? '' : `: ${where.join('; ')}`}`,
    ...remedies.slice(0, 1).map(({ words }) => `  ${words}`),
  ]
  return lines.map((line) => `${toTerminal(line)}\n`).join('')
}

function firstOf(numbers: readonly number[]): string {
  return numbers.slice(0, 5).join(', ') + (numbers.length > 5 ? ' …' : '')
}

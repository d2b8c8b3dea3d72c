import { coldPlaces, withColdPlaces } from '../../compose/cold/cold'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { maskValue } from '../../core/logs/mask-value'
import type { WhatIf } from '../../core/logs/what-if'
import { maskSecrets } from '../../core/redaction/secrets'
import type { TrialResult } from '../../core/replay/drop-trial'
import { reasonOf } from '../../core/words/reason-of'
import type { ColdChunk } from '../../engine/cold/cold-store'
import {
  compareCutoffs,
  type JudgedLog,
  judgeLogged,
  type LoggedSession,
  MOST_DROPS,
  readLoggedSession,
  tryCutoffs,
} from '../../engine/compaction/cutoff-trial'
import { inspectSession } from '../../engine/read/inspect-session'
import { AIMS, adviceWords, trialFigures } from '../../view/activity/cutoff'
import { formatCount, formatPercent, formatQuantity } from '../../view/text/format'
import type { ListedTranscript } from '../choose/choose-session'
import { policiesFor } from '../choose/chosen-policy'
import { type LogOptions, Newest, readLogs } from '../choose/read-logs'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'

export type WhatIfOptions = LogOptions & {
  readonly whatIf: number
  readonly keep?: number
  readonly against?: number
  readonly trial?: boolean
}

/** What another cut-off would have made of the logged drops, which key that speaks for, and a trial. */
export async function whatIfLogged(io: Io, options: WhatIfOptions): Promise<ExitCode> {
  const policies = await policiesFor(io, options)
  // The one that drops: a store's, if its agents are configured.
  const [policy] = policies
  const { records, earlier, folders } = await readNewest(io, options)
  const setup = setupOrFail(io)
  const transcripts = await openTranscripts(io, options)
  const stored = (ids: readonly string[]) =>
    withColdPlaces(setup, coldPlaces(setup, policies), async (finder) => {
      const found: ColdChunk[] = []
      for (const id of ids) found.push(...(await finder.named(id)))
      return found
    })
  const judged = await judgeLogged({ session: transcripts.read, stored }, records)
  const { drops } = judged
  for (const why of judged.unread.values()) await note(io, why)
  const before = { cutoff: options.against ?? policy.relevance.cutoff, keep: policy.relevance.keep }
  const after = {
    cutoff: options.whatIf,
    keep: Math.max(options.whatIf, options.keep ?? policy.relevance.keep),
  }
  const { changed, advice, needsKnown, ...results } = compareCutoffs(drops, before, after)
  const tried =
    options.trial === true
      ? tryCutoffs(policy, await transcripts.toTry(judged), { before, after, from: null })
      : null
  if (options.json) {
    const trial = tried && { before: trialJson(tried.before), after: trialJson(tried.after), aims: AIMS }
    const shown = maskValue('', changed, maskSecrets)
    await writeJson(io, {
      ...{ drops: drops.length, earlier, needsKnown, ...results, advice, changed: shown, trial, folders },
    })
  } else await write(io.stdout, text(drops.length, needsKnown, results, adviceWords(advice), tried))
  return EXIT.done
}

/** The newest drops and recoveries: each is held in memory here, and logs may be of any size. */
async function readNewest(io: Io, options: WhatIfOptions) {
  const newest = { drops: new Newest(MOST_DROPS), recovery: new Newest(MOST_DROPS) }
  const { folders } = await readLogs(io, options, ['drops', 'recovery'], (logged) => {
    newest[logged.record.kind === 'drops' ? 'drops' : 'recovery'].push(logged)
  })
  const [drops, recoveries] = [newest.drops.result(), newest.recovery.result()]
  if (drops.earlier > 0)
    await note(
      io,
      `Of ${formatCount(drops.earlier + drops.rows.length)} logged drops the newest ${formatCount(MOST_DROPS)} are judged; --session names those of one session.`,
    )
  const records: AnyLogRecord[] = [...drops.rows, ...recoveries.rows].map(({ record }) => record)
  return { records, earlier: drops.earlier, folders }
}

/** The transcripts that are here, by the ids of their sessions. */
async function openTranscripts(io: Io, { store, session: named }: WhatIfOptions) {
  const { reader, listAll } = await openSources(io, store)
  const byId = new Map<string, ListedTranscript>()
  for (const listed of await listAll())
    if (!byId.has(listed.transcript.sessionId)) byId.set(listed.transcript.sessionId, listed)
  const read = async (id: string): Promise<LoggedSession | null> => {
    const listed = byId.get(id)
    if (listed === undefined) return null
    return readLoggedSession(reader, await inspectSession(reader, listed.store, listed.transcript))
  }
  /** Those that were judged; else the one that is named, even without a log. */
  const toTry = async ({ sessions, unread }: JudgedLog): Promise<readonly LoggedSession[]> => {
    const id = named === undefined ? undefined : [...byId.keys()].find((each) => each.startsWith(named))
    if (sessions.size > 0 || id === undefined || unread.has(id)) return [...sessions.values()]
    try {
      const other = await read(id)
      return other === null ? [] : [other]
    } catch (error) {
      await note(io, reasonOf(error))
      return []
    }
  }
  return { read, toTry }
}

type Tried = ReturnType<typeof tryCutoffs>

function trialJson(result: TrialResult) {
  return { ...result, figures: trialFigures(result) }
}

function text(
  drops: number,
  known: number,
  { before, after }: { readonly before: WhatIf; readonly after: WhatIf },
  advice: string,
  tried: Tried | null,
): string {
  const head = `${formatQuantity(drops, 'logged drop')}; of ${formatCount(known)} the later needs are known.\n`
  const rows = [
    { name: 'dropped', one: before.parts.drop, two: after.parts.drop },
    { name: 'summarised', one: before.parts.summarise, two: after.parts.summarise },
    { name: 'kept', one: before.parts.keep, two: after.parts.keep },
    { name: 'dropped by another rule', one: before.unscored, two: after.unscored },
  ]
  const title = ({ setting }: WhatIf) => `${setting.cutoff} / ${setting.keep}`
  const table = renderTable(rows, [
    { title: 'WOULD BE', cell: ({ name }) => name },
    { title: title(before), align: 'right', cell: ({ one }) => formatCount(one.chunks) },
    { title: 'TOKENS', align: 'right', cell: ({ one }) => formatCount(one.tokens) },
    { title: 'WANTED', align: 'right', cell: ({ one }) => formatCount(one.against) },
    { title: title(after), align: 'right', cell: ({ two }) => formatCount(two.chunks) },
    { title: 'TOKENS', align: 'right', cell: ({ two }) => formatCount(two.tokens) },
    { title: 'WANTED', align: 'right', cell: ({ two }) => formatCount(two.against) },
    { title: 'DIFFERENCE', align: 'right', cell: ({ one, two }) => difference(one.chunks, two.chunks) },
  ])
  const beyond =
    before.isAboveLogged || after.isAboveLogged
      ? 'A cut-off above the logged one would have dropped more than this: what stayed is in no log. --trial tells.\n'
      : ''
  return maskSecrets(`${head}\n${table}${beyond}\n${advice}\n${tried === null ? '' : trialText(tried)}`)
}

function difference(one: number, two: number): string {
  return `${two < one ? '-' : ''}${formatCount(Math.abs(two - one))}`
}

function trialText({ before, after, tried }: Tried): string {
  if (tried.length === 0) return '\nThere is no transcript of these sessions to try it on.\n'
  const [one, two] = [trialFigures(before), trialFigures(after)]
  const share = (value: number | null, aim?: number) => {
    if (value === null) return '?'
    const judged = aim === undefined ? '' : value >= aim ? ' (reached)' : ' (not reached)'
    return `≈ ${formatPercent(value)}${judged}`
  }
  const rows = [
    {
      what: `fewer tokens (aim ${formatPercent(AIMS.fewerTokens)})`,
      of: (f: typeof one) => share(f.fewerTokens, AIMS.fewerTokens),
    },
    {
      what: `later needs met (aim ${formatPercent(AIMS.retention)})`,
      of: (f: typeof one) => share(f.retention, AIMS.retention),
    },
    { what: 'needs older than ten calls met', of: (f: typeof one) => share(f.longRetention) },
  ]
  const table = renderTable(rows, [
    { title: 'TRIAL', cell: ({ what }) => what },
    { title: 'BEFORE', align: 'right', cell: ({ of }) => of(one) },
    { title: 'AFTER', align: 'right', cell: ({ of }) => of(two) },
  ])
  const due =
    before.passes + after.passes === 0 ? ' No pass was ever due: these contexts stayed below the line.' : ''
  return `\n${table}On ${formatQuantity(tried.length, 'transcript')} with ${formatQuantity(before.calls, 'call')}, as recorded.${due}\n`
}

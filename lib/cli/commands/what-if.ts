import { policyWindow } from '../../core/budget/guard'
import { adviseCutoff } from '../../core/logs/advise-cutoff'
import { type JudgedSession, judgeDrops, type StoredText } from '../../core/logs/judge-drops'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { maskValue } from '../../core/logs/mask-value'
import { changedFates, type DropSetting, type JudgedDrop, type WhatIf, whatIf } from '../../core/logs/what-if'
import type { Policy } from '../../core/policy/policy'
import { maskSecrets } from '../../core/redaction/secrets'
import { logisticScorer } from '../../core/relevance/logistic-scorer'
import { seedScorer } from '../../core/relevance/seed-scorer'
import { addResults, prepareTrial, type TrialResult, trialDrops } from '../../core/replay/drop-trial'
import { needsOf, RARE } from '../../core/replay/needs'
import { inspectSession } from '../../engine/inspect-session'
import { chunksOfSession } from '../../engine/trial-session'
import { AIMS, adviceWords, trialFigures } from '../../view/cutoff'
import { formatCount, formatPercent, formatQuantity } from '../../view/format'
import { coldPlaces, policiesInForce, withColdPlaces } from '../cold-places'
import { EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../output'
import { type LogOptions, Newest, readLogs } from '../read-logs'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'
import { renderTable } from '../table'

export type WhatIfOptions = LogOptions & {
  readonly whatIf: number
  readonly keep?: number
  readonly against?: number
  readonly trial?: boolean
}

/** Drops that are judged, and recoveries that they are held against. */
const MOST_DROPS = 100_000

/** Transcripts that are read for later needs. */
const MOST_SESSIONS = 10

/** What another cut-off would have made of the logged drops (W4), which key that speaks for (W5), and a trial (W6). */
export async function whatIfLogged(io: Io, options: WhatIfOptions): Promise<ExitCode> {
  const policies = await policiesInForce(io, options)
  // The one that drops: a store's, if its agents are configured.
  const [policy] = policies
  const { records, earlier, folders } = await readNewest(io, options)
  const sessions = await readSessions(io, options, records)
  const texts = await textsOf(io, policies, records, sessions)
  const drops = judgeDrops({
    records,
    session: (id) => sessions.get(id) ?? null,
    stored: (chunkId, session) => texts.get(`${session} ${chunkId}`) ?? null,
  })
  const before = { cutoff: options.against ?? policy.relevance.cutoff, keep: policy.relevance.keep }
  const after = {
    cutoff: options.whatIf,
    keep: Math.max(options.whatIf, options.keep ?? policy.relevance.keep),
  }
  const tried = options.trial === true ? tryBoth(policy, [...sessions.values()], before, after) : null
  const results = { before: whatIf(drops, before), after: whatIf(drops, after) }
  const advice = adviseCutoff(drops, before)
  const changed = changedFates(drops, before, after)
  if (options.json) {
    const needsKnown = drops.filter(({ needed }) => needed !== null).length
    const trial = tried && { before: trialJson(tried.before), after: trialJson(tried.after), aims: AIMS }
    const shown = maskValue('', changed, maskSecrets)
    await writeJson(io, {
      ...{ drops: drops.length, earlier, needsKnown, ...results, advice, changed: shown, trial, folders },
    })
  } else await write(io.stdout, text(drops, results, adviceWords(advice), tried))
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

/** Sessions that the logs tell of, as far as their transcripts are here; the one that is named, even without a log. */
async function readSessions(
  io: Io,
  { store, session }: WhatIfOptions,
  records: readonly AnyLogRecord[],
): Promise<ReadonlyMap<string, JudgedSession>> {
  const logged = new Set(records.flatMap(({ sessionId }) => sessionId ?? []))
  const { reader, listAll } = await openSources(io, store)
  const all = await listAll()
  const isWanted = (id: string) => logged.has(id) || (session !== undefined && id.startsWith(session))
  const found = new Map<string, JudgedSession>()
  for (const { store: place, transcript } of all) {
    const { sessionId } = transcript
    if (found.size >= MOST_SESSIONS || found.has(sessionId) || !isWanted(sessionId)) continue
    try {
      const inspected = await inspectSession(reader, place, transcript)
      const { chunks } = await chunksOfSession(reader, inspected)
      found.set(sessionId, { chunks, needs: needsOf(chunks, RARE) })
    } catch (error) {
      await note(io, error instanceof Error ? error.message : String(error))
    }
  }
  return found
}

function textsOf(
  io: Io,
  policies: readonly Policy[],
  records: readonly AnyLogRecord[],
  sessions: ReadonlyMap<string, JudgedSession>,
): Promise<Map<string, StoredText>> {
  const places = coldPlaces(io, policies)
  return withColdPlaces(setupOrFail(io), places, async (finder) => {
    const texts = new Map<string, StoredText>()
    for (const record of records) {
      if (record.kind !== 'drops' || record.chunkId === null || !sessions.has(record.sessionId ?? ''))
        continue
      for (const { chunkId, sessionId, content, place } of await finder.named(record.chunkId))
        texts.set(`${sessionId} ${chunkId}`, { content, entryIds: place?.entryIds ?? [] })
    }
    return texts
  })
}

type Tried = { readonly before: TrialResult; readonly after: TrialResult; readonly sessions: number }

function tryBoth(
  policy: Policy,
  sessions: readonly JudgedSession[],
  before: DropSetting,
  after: DropSetting,
): Tried {
  const { relevance } = policy
  const scorer = relevance.scorer === 'logistic' ? logisticScorer() : seedScorer(relevance)
  const from = Math.round(policyWindow(policy, { index: null }, null).tokens * policy.lines.compact.at)
  const prepared = sessions.map(({ chunks }) => prepareTrial(chunks, scorer, RARE))
  const run = (setting: DropSetting) =>
    addResults(
      prepared.map((one) => trialDrops(one, { ...policy, relevance: { ...relevance, ...setting } }, from)),
    )
  return { before: run(before), after: run(after), sessions: sessions.length }
}

function trialJson(result: TrialResult) {
  return { ...result, figures: trialFigures(result) }
}

function text(
  drops: readonly JudgedDrop[],
  { before, after }: { readonly before: WhatIf; readonly after: WhatIf },
  advice: string,
  tried: Tried | null,
): string {
  const known = drops.filter(({ needed }) => needed !== null).length
  const head = `${formatQuantity(drops.length, 'logged drop')}; of ${formatCount(known)} the later needs are known.\n`
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

function trialText({ before, after, sessions }: Tried): string {
  if (sessions === 0) return '\nThere is no transcript of these sessions to try it on.\n'
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
  return `\n${table}On ${formatQuantity(sessions, 'transcript')} with ${formatQuantity(before.calls, 'call')}, as recorded.${due}\n`
}

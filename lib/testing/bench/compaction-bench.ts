import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { discoverStores } from '../../adapters/discovery/discover'
import { fastEstimate } from '../../adapters/jsonl/fast-estimate'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { PRESETS } from '../../core/policy/presets'
import { resolvePolicy } from '../../core/policy/resolve'
import { maskSecrets } from '../../core/redaction/secrets'
import { auditSummary } from '../../core/summary/audit'
import { digest, digestBudget } from '../../core/summary/digest'
import { fileLedger } from '../../core/summary/file-ledger'
import { forSpans } from '../../core/summary/message-spans'
import { type SourceMessage, sourceMessage } from '../../core/summary/source-message'
import { isObject } from '../../core/transcript/json'
import { openPlanSource, planSession } from '../../engine/compaction/plan-session'
import { inspectSession } from '../../engine/read/inspect-session'
import { CORPUS, transcriptFiles } from '../corpus'
import { writeLongSession } from './bulk-store'
import { type Bench, type BenchContext, type Measurement, median, quantile } from './report'

const ENTRIES = 50_000
const RUNS = 21
const OPENCLAW = resolvePolicy([{ level: 'preset', label: 'openclaw', patch: PRESETS.openclaw }]).policy
/** Cuts at which digests of the corpus are judged, as shares of a transcript. */
const CUTS = [0.2, 0.35, 0.5, 0.65, 0.8, 1]

/** How quickly a compaction is planned, and how good the summary is that needs no model. */
export const compactionBench: Bench = {
  name: 'compaction',
  title: 'Compaction: plans and digests',
  async run(context) {
    return [...(await plans(context)), ...digests(context)]
  },
}

async function plans({ folder, log }: BenchContext): Promise<Measurement[]> {
  log(`writing a session of ${ENTRIES} entries …`)
  const root = join(folder, 'long')
  writeLongSession({ root, entries: ENTRIES, seed: 21 })
  const { stores } = await discoverStores({ env: {}, home: folder, only: [root] })
  const [store] = stores
  if (store === undefined) throw new Error('the store that was written is not found')
  const reader = createStoreReader({ lastLine: 'take-whole' })
  for await (const transcript of reader.list(store)) {
    const session = await inspectSession(reader, store, transcript)
    const started = performance.now()
    const source = await openPlanSource(reader, session, 'next')
    const opened = performance.now() - started
    if (source === null) throw new Error('the session that was written has no call')
    const plan = (policy: Policy) => () =>
      planSession(source, { policy, manual: true, source: 'digest', price: null, checkpoint: null })
    const knob = (keepRecentTokens: number): Policy => ({
      ...OPENCLAW,
      compaction: { ...OPENCLAW.compaction, keepRecentTokens },
    })
    const moved = Array.from({ length: RUNS }, (_, i) => timed(plan(knob(5_000 + i * 1_000))))
    return [
      {
        what: 'plan of 50,000 entries, preset openclaw',
        value: median(times(plan(OPENCLAW))),
        unit: 'ms',
        limit: 100,
      },
      {
        what: 'the same, default policy',
        value: median(times(plan(DEFAULT_POLICY))),
        unit: 'ms',
        limit: 100,
      },
      { what: 'a knob moved, p95', value: quantile(moved, 0.95), unit: 'ms', limit: 100 },
      { what: 'reading the sizes beforehand, once', value: opened, unit: 'ms', limit: null },
    ]
  }
  throw new Error('the store that was written is empty')
}

function digests({ log }: BenchContext): Measurement[] {
  const files =
    CORPUS === null
      ? []
      : ['pi', 'openclaw-2026.7.1', 'openclaw-public'].flatMap((name) =>
          transcriptFiles(join(CORPUS ?? '', name)),
        )
  if (files.length === 0) {
    log('the shared corpus is not present: digests are not judged')
    return []
  }
  const speeds: number[] = []
  let [passed, judged, written, named, spans, keptSpans] = [0, 0, 0, 0, 0, 0]
  for (const file of files) {
    const messages = messagesOf(file)
    for (const cut of CUTS) {
      const before = messages.slice(0, Math.round(messages.length * cut))
      const after = messages.slice(before.length)
      const tokens = tokensOf(before)
      if (tokens < 500) continue
      let text = ''
      const took = median(
        times(() => {
          text = digest(before, {
            budget: digestBudget(tokens),
            sizeOf: fastEstimate,
            mask: maskSecrets,
          })
        }, 5),
      )
      if (tokens > 20_000) speeds.push((took / tokens) * 100_000)
      judged += 1
      passed += auditSummary(text, before).length === 0 ? 1 : 0
      const artifacts = [...fileLedger(before).values()].filter((one) => one.created || one.edits > 0)
      written += artifacts.length
      named += artifacts.filter(({ path }) => text.includes(path)).length
      const needed = neededLater(before, after)
      spans += needed.length
      keptSpans += needed.filter((span) => text.includes(span)).length
    }
  }
  return [
    { what: 'digest, time for 100,000 tokens, p95', value: quantile(speeds, 0.95), unit: 'ms', limit: 50 },
    {
      what: 'digests that fail the audit',
      value: judged - passed,
      unit: '',
      limit: 0,
      note: `${judged} cuts of the corpus`,
    },
    {
      what: 'files written before the cut and not named',
      value: 100 * (1 - named / Math.max(1, written)),
      unit: '%',
      limit: 5,
      note: `${named} of ${written} named`,
    },
    {
      what: 'names that the model wrote again later and the digest kept',
      value: (100 * keptSpans) / Math.max(1, spans),
      unit: '%',
      limit: null,
      note: `${keptSpans} of ${spans}`,
    },
    ...recordedSummaries(files),
  ]
}

/** Summaries that the runtimes recorded in the corpus, judged in the same way. */
function recordedSummaries(files: readonly string[]): Measurement[] {
  let [count, passed, spans, kept] = [0, 0, 0, 0]
  for (const file of files) {
    const messages = messagesOf(file)
    for (const [at, message] of messages.entries()) {
      if (message.role !== 'summary') continue
      const before = messages.slice(0, at)
      count += 1
      passed += auditSummary(message.text, before).length === 0 ? 1 : 0
      const needed = neededLater(before, messages.slice(at + 1))
      spans += needed.length
      kept += needed.filter((span) => message.text.includes(span)).length
    }
  }
  if (count === 0) return []
  return [
    {
      what: 'recorded summaries that pass the audit',
      value: (100 * passed) / count,
      unit: '%',
      limit: null,
      note: `${passed} of ${count}`,
    },
    {
      what: 'names written again later that they kept',
      value: (100 * kept) / Math.max(1, spans),
      unit: '%',
      limit: null,
      note: `${kept} of ${spans}`,
    },
  ]
}

/** Names that were before the cut and that the model wrote after it. */
function neededLater(before: readonly SourceMessage[], after: readonly SourceMessage[]): string[] {
  const known = new Set<string>()
  for (const message of before) forSpans(message, ({ text }) => known.add(text))
  const needed = new Set<string>()
  for (const message of after)
    if (message.role === 'assistant') forSpans(message, ({ text }) => known.has(text) && needed.add(text))
  return [...needed]
}

function tokensOf(messages: readonly SourceMessage[]): number {
  return messages.reduce(
    (sum, { text, calls }) =>
      sum +
      fastEstimate(text) +
      calls.reduce((all, { input }) => all + fastEstimate(JSON.stringify(input)), 0),
    0,
  )
}

function messagesOf(file: string): SourceMessage[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const entry: unknown = line === '' ? null : JSON.parse(line)
      const place = { entryId: isObject(entry) ? String(entry.id) : '', line: i + 1 }
      return (isObject(entry) && sourceMessage(entry, place)) || []
    })
}

function times(run: () => unknown, runs = RUNS): number[] {
  return Array.from({ length: runs }, () => timed(run))
}

function timed(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

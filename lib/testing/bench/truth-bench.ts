import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claudeCodeEntries } from '../../core/sources/claude-code/entries'
import { codexEntries } from '../../core/sources/codex/entries'
import { readSessionIndex } from '../../core/transcript/formats/openclaw-index'
import type { Translate } from '../../core/transcript/reading/translated'
import type { Sender } from '../../core/transcript/send-rules'
import type { SystemPromptReport } from '../../core/transcript/session-index'
import { CORPUS, transcriptFiles } from '../corpus'
import type { Bench, Measurement } from './report'
import { measureTruth, type Truth, type TruthTranscript } from './truth'

/** How far off our figures may be from what providers reported, as shares. */
export const TRUTH_LIMITS = { growth: 0.04, total: 0.002, totalP95: 0.02, blindTotal: 0.15 } as const

/** The model that answered from a script: its usage is the length of the request ÷ 3.6, no tokenizer's. */
export const SCRIPTED_MODEL = 'fake-1'

/** The estimates against provider-reported usage over the corpus, per model, chars/4 beside them. */
export const truthBench: Bench = {
  name: 'truth',
  title: 'Estimates against what providers reported',
  async run({ log }) {
    if (CORPUS === null) {
      log('no corpus of real sessions here: nothing to compare with')
      return []
    }
    return measureTruth(corpusTranscripts(CORPUS)).flatMap(measurements)
  },
}

/** All transcripts of the corpus that a real model worked in, and those of OpenClaw with the scripted one. */
export function corpusTranscripts(corpus: string): TruthTranscript[] {
  const of = (folder: string, runtime: Sender, translate?: Translate) =>
    existsSync(join(corpus, folder))
      ? transcriptFiles(join(corpus, folder))
          .filter(isReal)
          .map((file) => ({
            lines: readFileSync(file, 'utf8').split('\n').filter(Boolean),
            setup: { runtime, hints: { index: null }, report: reportOf(file) },
            ...(translate && { translate }),
          }))
      : []
  return [
    ...of('pi', 'pi'),
    ...of('openclaw-public', 'openclaw'),
    ...of('openclaw-2026.7.1', 'openclaw'),
    ...of('claude-code', 'claude-code', claudeCodeEntries),
    ...of('codex', 'codex', codexEntries),
  ]
}

/** Two files were put together by hand out of every kind of line. */
function isReal(file: string): boolean {
  return !file.includes('stage0')
}

/** What the index beside a transcript says about its system prompt. */
function reportOf(file: string): SystemPromptReport | null {
  const path = join(dirname(file), 'sessions.json')
  if (!existsSync(path)) return null
  const index = readSessionIndex(JSON.parse(readFileSync(path, 'utf8')))
  for (const entry of index?.byKey.values() ?? []) {
    if (entry.sessionId !== undefined && file.includes(entry.sessionId)) return entry.report ?? null
  }
  return null
}

function measurements(truth: Truth): Measurement[] {
  const judged = truth.model !== SCRIPTED_MODEL
  const model = judged ? truth.model : `${truth.model} (scripted)`
  const figure = (what: string, share: number, limit: number, note: string): Measurement => ({
    what: `${model}: ${what}`,
    value: 100 * share,
    unit: '%',
    limit: judged ? 100 * limit : null,
    note,
  })
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const next: Measurement[] =
    truth.pairs === 0
      ? []
      : [
          figure(
            'growth to the next call',
            truth.growth,
            TRUTH_LIMITS.growth,
            `median of ${truth.pairs}; chars/4 ${percent(truth.plainGrowth)}`,
          ),
          figure('total of the next call', truth.total, TRUTH_LIMITS.total, 'median'),
          figure('total of the next call', truth.totalP95, TRUTH_LIMITS.totalP95, '95th percentile'),
        ]
  const blind = figure(
    'total, all usage hidden',
    truth.blindTotal,
    TRUTH_LIMITS.blindTotal,
    `median of ${truth.blind}; chars/4 ${percent(truth.plainTotal)}`,
  )
  return truth.blind === 0 ? next : [...next, blind]
}

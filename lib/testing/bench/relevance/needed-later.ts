import { chunkGroups } from '../../../core/pruning/chunk-groups'
import { ChunkIndex } from '../../../core/relevance/chunk-index'
import type { ChunkSignals } from '../../../core/relevance/score'
import { SPAN_WEIGHTS, type Span, spansOf } from '../../../core/relevance/spans'
import { UseTracker } from '../../../core/relevance/use-tracker'
import type { SourceMessage } from '../../../core/summary/source-message'
import { estimateUnits } from '../../../core/tokens/estimate'
import type { CorpusSession } from '../corpus-sessions'

/** A chunk with tool results as it was at a call, and whether a later call needed it (lib/docs/relevance.md#needs). */
export type Sample = {
  readonly owner: string
  readonly signals: ChunkSignals
  readonly bm25: number
  readonly needed: boolean
}

/** Every so many calls, all chunks that there are become samples. */
const STRIDE = 5
/** Weight from which on a chunk counts as needed, precision of a need before it was calibrated, share of prose. */
const [NEEDED, PRECISION, PROSE] = [0.5, 0.8, 0.5]
/** How long a call is taken to last: some transcripts have no times. */
const CALL_MS = 60_000

type Step = {
  readonly output: string
  readonly spans: ReadonlyMap<string, { readonly span: Span; readonly role: number }>
  readonly text: string
  readonly hasResults: boolean
  readonly role: SourceMessage['role']
}

/** Samples of all sessions. Rarity is counted over their owners, each of whom works in one place. */
export function neededLater(sessions: readonly CorpusSession[]): Sample[] {
  const steps = sessions.map(({ messages }) => stepsOf(messages))
  const owners = [...new Set(sessions.map(({ owner }) => owner))]
  const rarity = rarityOver(owners.map((one) => steps.filter((_, i) => sessions[i]?.owner === one).flat()))
  return sessions.flatMap(({ owner }, i) => samplesOf(owner, steps[i] ?? [], rarity))
}

/** The chunks of a session in order, each with what the model itself wrote in it. */
function stepsOf(messages: readonly SourceMessage[]): Step[] {
  return chunkGroups(messages).map((members) => {
    const parts = members.flatMap((place) => messages[place] ?? [])
    const spans = new Map<string, { span: Span; role: number }>()
    const outputs: string[] = []
    for (const { role, text, calls } of parts) {
      if (role !== 'assistant') continue
      const inputs = calls.map(({ input }) => valuesOf(input))
      for (const span of spansOf(text)) spans.set(span.text, { span, role: PROSE })
      for (const span of inputs.flatMap(spansOf)) spans.set(span.text, { span, role: 1 })
      outputs.push(text, ...inputs)
    }
    const results = parts.filter(({ role }) => role !== 'assistant').map(({ text }) => text)
    return {
      output: outputs.join('\n'),
      spans,
      text: [...outputs, ...results].join('\n'),
      hasResults: parts.some(({ role }) => role === 'toolResult'),
      role: parts[0]?.role ?? 'other',
    }
  })
}

/** The texts of a call's arguments as they are, without the escapes of JSON. */
function valuesOf(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return String(input)
  return Object.values(input).map(valuesOf).join('\n')
}

/** How rare a span is, 0 … 1 (lib/docs/relevance.md#spans). */
function rarityOver(places: readonly (readonly Step[])[]): (span: string) => number {
  const holders = new Map<string, number>()
  for (const steps of places)
    for (const span of new Set(steps.flatMap(({ text }) => spansOf(text).map((one) => one.text))))
      holders.set(span, (holders.get(span) ?? 0) + 1)
  return (span) => Math.max(0, 1 - Math.log(holders.get(span) ?? 1) / Math.log(Math.max(8, places.length)))
}

function samplesOf(owner: string, steps: readonly Step[], rarity: (span: string) => number): Sample[] {
  const lastNeed = lastNeeds(steps, rarity)
  const index = new ChunkIndex([])
  const tracker = new UseTracker()
  const samples: Sample[] = []
  let calls = 0
  let prompt = ''
  for (const [at, step] of steps.entries()) {
    if (step.role === 'assistant') {
      if (calls > 0 && calls % STRIDE === 0) {
        const { similarity, words } = index.likeness(prompt)
        const uses = tracker.signals(index.likeness(tracker.recentOutput).words)
        for (let chunk = 0; chunk < at; chunk++) {
          const use = uses[chunk]
          if (use === undefined || !steps[chunk]?.hasResults) continue
          const ageMs = use.callsSinceBorn * CALL_MS
          const signals = { similarity: similarity[chunk] ?? 0, ageMs, important: false, use }
          samples.push({ owner, signals, bm25: words[chunk] ?? 0, needed: (lastNeed[chunk] ?? -1) >= at })
        }
      }
      calls += 1
      tracker.addOutput(step.output)
    }
    if (step.role === 'user') prompt = step.text
    index.add(step.text)
    tracker.addChunk(step.text, estimateUnits(step.text))
  }
  return samples
}

/** For each chunk, the last step whose output needed it and nothing else: no other chunk held what it wrote again. */
function lastNeeds(steps: readonly Step[], rarity: (span: string) => number): Int32Array {
  const last = new Int32Array(steps.length).fill(-1)
  const holders = new Map<string, number[]>()
  for (const [at, { spans, text }] of steps.entries()) {
    const weights = new Map<number, number>()
    for (const [name, { span, role }] of spans) {
      const [source, ...others] = holders.get(name) ?? []
      if (source === undefined || others.length > 0) continue
      const weight = SPAN_WEIGHTS[span.kind] * role * rarity(name) * PRECISION
      weights.set(source, (weights.get(source) ?? 0) + weight)
    }
    for (const [source, weight] of weights) if (weight >= NEEDED) last[source] = at
    for (const { text: name } of spansOf(text)) {
      const known = holders.get(name)
      if (known === undefined) holders.set(name, [at])
      else known.push(at)
    }
  }
  return last
}
